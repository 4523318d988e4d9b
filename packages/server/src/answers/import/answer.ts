import type { Outcome } from '@overheard/contract';
import type { AnswerSource } from '../detection/subject.ts';

/** A prompt that a row contains. It is created if it is new. */
export interface AnswerPrompt {
  readonly text: string;
  /** BCP 47. */
  readonly language: string;
  readonly locale: string;
}

/** One answer of an engine, in normal form. */
export interface Answer {
  /** The id of the run. */
  readonly id: string;
  readonly promptId: string;
  /** Undefined if the row only gives the id of a stored prompt. */
  readonly prompt: AnswerPrompt | undefined;
  /** Whether the prompt is to be put to engines; undefined leaves it as it is. */
  readonly collect: boolean | undefined;
  readonly engine: string;
  readonly model: string | null;
  /**
   * The cohort of a run that Overheard asked for itself. That of an imported run follows from its
   * fields.
   */
  readonly cohort: string | undefined;
  /** `2026-11-20T12:34:56.789Z` */
  readonly runAt: string;
  /**
   * Whether the row gave a day without a time. `runAt` is then its midnight, because the time is
   * unknown.
   */
  readonly isDayAlone: boolean;
  readonly outcome: Outcome;
  /** Plain text or Markdown, as the engine wrote it. */
  readonly answer: string;
  readonly sources: readonly AnswerSource[];
  /** What the engine searched for: none if it did not search, null if that is unknown. */
  readonly queries: readonly string[] | null;
  /** Whether the engine searched, which may be known without its queries; null if that is unknown. */
  readonly searched: boolean | null;
}
