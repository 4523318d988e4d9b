import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './answer.ts';
import type { AnswerField } from './fields.ts';

/** What two answers of one run must have in common. */
export interface ComparableAnswer extends Pick<
  Answer,
  'promptId' | 'engine' | 'model' | 'runAt' | 'outcome' | 'answer' | 'sources'
> {
  /** The prompt's text as it was asked; undefined where that was not told. */
  readonly asked: string | undefined;
}

/** A field that differs, and what stands on each side. */
export interface Difference {
  readonly field: AnswerField;
  readonly before: unknown;
  readonly now: unknown;
}

const compared: ReadonlyArray<readonly [AnswerField, keyof ComparableAnswer]> = [
  ['prompt_id', 'promptId'],
  ['prompt', 'asked'],
  ['engine', 'engine'],
  ['model', 'model'],
  ['run_at', 'runAt'],
  ['outcome', 'outcome'],
  ['answer', 'answer'],
  ['sources', 'sources'],
];

/**
 * The first field in which two answers of one run differ; undefined where they are the same. What
 * one of them does not tell contradicts nothing: the text of a prompt that a row only names.
 */
export function findDifference(
  left: Partial<ComparableAnswer>,
  right: ComparableAnswer,
): Difference | undefined {
  return compared
    .values()
    .map(([field, key]) => ({ field, before: left[key], now: right[key] }))
    .filter(({ before, now }) => before !== undefined && now !== undefined)
    .find(({ before, now }) => !isDeepStrictEqual(before, now));
}

/** An answer of a file, to be compared. */
export function toComparable({ prompt, ...answer }: Answer): ComparableAnswer {
  return { ...answer, asked: prompt?.text };
}
