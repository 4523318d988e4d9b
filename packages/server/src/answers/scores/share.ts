/** What a score is made of: counted runs of one engine and day, or of any other set of runs. */
export interface Counts {
  /** Counted runs. */
  readonly runs: number;
  /** Of them, those in which the brand was cited. */
  readonly brand: number;
  /** The sum over competitors of the runs in which each was cited. */
  readonly competitors: number;
}

/**
 * Share of voice, a ratio from 0 to 1 with 4 decimals: the brand's cited runs / (the brand's + the
 * sum over competitors of each one's cited runs). 0 where nobody was cited.
 */
export function shareOfVoice({
  brand,
  competitors,
}: Pick<Counts, 'brand' | 'competitors'>): number {
  return roundRatio(brand, brand + competitors);
}

/** `part / whole` with 4 decimals, half up, in whole numbers: no two machines differ. 0 of 0 is 0. */
export function roundRatio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((20_000 * part + whole) / (2 * whole)) / 10_000;
}

/** The standard normal distribution's quantile of 97.5 %. */
const z = 1.959963984540054;

/**
 * The 95 % Wilson score interval of a rate, each end with 4 decimals: where the true rate may well
 * lie, if runs were independent. Undefined of no runs.
 * https://www.itl.nist.gov/div898/handbook/prc/section2/prc241.htm
 */
export function wilsonInterval(
  part: number,
  whole: number,
): { readonly low: number; readonly high: number } | undefined {
  if (whole === 0) return undefined;
  const rate = part / whole;
  const shrink = 1 + z ** 2 / whole;
  const centre = (rate + z ** 2 / (2 * whole)) / shrink;
  const half = (z / shrink) * Math.sqrt((rate * (1 - rate)) / whole + z ** 2 / (4 * whole ** 2));
  // Of none and of all, the formula's own ends are exact; arithmetic may miss them by a hair.
  const low = part === 0 ? 0 : centre - half;
  const high = part === whole ? 1 : centre + half;
  return { low: Math.round(low * 10_000) / 10_000, high: Math.round(high * 10_000) / 10_000 };
}
