import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../answer.ts';
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

const compared: ReadonlyArray<readonly [AnswerField, (answer: ComparableAnswer) => unknown]> = [
  ['prompt_id', ({ promptId }) => promptId],
  ['prompt', ({ asked }) => asked],
  ['engine', ({ engine }) => engine],
  ['model', ({ model }) => model],
  ['run_at', ({ runAt }) => runAt],
  ['outcome', ({ outcome }) => outcome],
  ['answer', ({ answer }) => answer],
  ['sources', ({ sources }) => sources],
];

/** The first field in which two answers of one run differ; undefined where they are the same. */
export function findDifference(
  before: ComparableAnswer,
  now: ComparableAnswer,
): Difference | undefined {
  return compared
    .values()
    .map(([field, of]) => ({ field, before: of(before), now: of(now) }))
    .find((pair) => !isUntold(pair) && !isDeepStrictEqual(pair.before, pair.now));
}

/** A row that only names its prompt does not say what was asked: that contradicts nothing. */
function isUntold({ field, before, now }: Difference): boolean {
  return field === 'prompt' && (before === undefined || now === undefined);
}

/** An answer of a file, to be compared. */
export function toComparable({ prompt, ...answer }: Answer): ComparableAnswer {
  return { ...answer, asked: prompt?.text };
}
