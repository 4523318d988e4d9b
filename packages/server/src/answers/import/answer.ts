import type { Outcome } from '@overheard/contract';
import type { AnswerSource } from '../detection/subject.ts';

/** A prompt that a row brings along: it is created if it is new. */
export interface AnswerPrompt {
  readonly text: string;
  /** BCP 47. */
  readonly language: string;
  readonly locale: string;
}

/** One answer of an engine, in normal form. */
export interface Answer {
  /** Of the run. */
  readonly id: string;
  readonly promptId: string;
  /** Undefined if the row only names a prompt that is known. */
  readonly prompt: AnswerPrompt | undefined;
  /** Whether the prompt is to be put to engines; undefined leaves it as it is. */
  readonly collect: boolean | undefined;
  readonly engine: string;
  readonly model: string | null;
  /** Of a run that Overheard asked for itself; an imported one's follows from its fields. */
  readonly cohort: string | undefined;
  /** `2026-11-20T12:34:56.789Z` */
  readonly runAt: string;
  /** The row gave a day without a time: `runAt` is its midnight, the true time is unknown. */
  readonly isDayAlone: boolean;
  readonly outcome: Outcome;
  /** Plain text or Markdown, as the engine wrote it. */
  readonly answer: string;
  readonly sources: readonly AnswerSource[];
}
