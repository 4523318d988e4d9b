import type { Outcome } from '@overheard/contract';
import type { CountedRange } from '../values/counted-range.ts';
import type { StoredDetection } from './stored-detections.ts';

/** A stored run with its answer and the range of it that was judged. */
export interface StoredRun extends CountedRange {
  readonly id: string;
  readonly engine: string;
  readonly runAt: string;
  readonly outcome: Outcome | null;
  readonly isBranded: boolean;
  /** Null on runs that were judged before this fact was stored. */
  readonly namesCompetitor: boolean | null;
  readonly method: string | null;
  /** The hash of the set of subjects that judged it; null on runs judged before it was stored. */
  readonly judgedBy: string | null;
  readonly asked: string;
  /** The language of its prompt. */
  readonly language: string | undefined;
  readonly answer: string;
  readonly sources: string;
  readonly sites: string;
}

/** A run with its new judgement. */
export interface JudgedRun {
  readonly id: string;
  readonly run: StoredRun;
  readonly isBranded: boolean;
  readonly namesCompetitor: boolean;
  readonly judgedBy: string;
  readonly isOutdated: boolean;
  readonly sites: string;
  readonly range: CountedRange;
  readonly detections: readonly StoredDetection[];
}
