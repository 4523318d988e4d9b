import { roundRatio } from '../../values/statistics/estimate.ts';

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
 * sum over competitors of each one's cited runs). 0 if nobody was cited.
 */
export function shareOfVoice({
  brand,
  competitors,
}: Pick<Counts, 'brand' | 'competitors'>): number {
  return roundRatio(brand, brand + competitors);
}
