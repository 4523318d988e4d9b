/** A rate over some days. */
export interface TrendBucket {
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  readonly runs: number;
  /** Null where nothing was counted; so are the ends of an interval over too few prompts. */
  readonly rate: number | null;
  readonly rate_low: number | null;
  readonly rate_high: number | null;
  /** Whether its last day is not over. */
  readonly isUnfinished: boolean;
}
