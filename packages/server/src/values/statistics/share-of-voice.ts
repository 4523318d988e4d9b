/** The counts that give a score, over the runs of one engine and day or any other set of runs. */
export interface Counts {
  /** Counted runs. */
  readonly runs: number;
  /** Counted runs that cite the brand. */
  readonly brand: number;
  /** The sum, over competitors, of the counted runs that cite each. */
  readonly competitors: number;
}

/**
 * Share of voice, a ratio from 0 to 1 with 4 decimals: the brand's cited runs / (the brand's + the
 * sum over competitors of each one's cited runs). 0 if nobody was cited.
 */
export function shareOfVoice({
  brand,
  competitors,
}: Pick<Counts, 'brand' | 'competitors'>): number {
  return roundRatio(brand, brand + competitors);
}

/**
 * `part / whole` with 4 decimals, rounded half up. Computes in integers, so that all machines
 * agree. 0 of 0 is 0.
 */
export function roundRatio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((20_000 * part + whole) / (2 * whole)) / 10_000;
}
