import type { Answer } from './answer.ts';
import type { AnswerField } from './fields.ts';

/** What two answers of one run must have in common, by the fields of a file. */
export type ComparableAnswer = Readonly<Partial<Record<AnswerField, unknown>>>;

/** An answer of a file, to be compared. The text of a prompt that a row only names is left out. */
export function toComparable(answer: Answer): ComparableAnswer {
  const { promptId, prompt, engine, model, runAt, outcome, answer: said, sources } = answer;
  return {
    prompt_id: promptId,
    prompt: prompt?.text,
    engine,
    model,
    run_at: runAt,
    outcome,
    answer: said,
    sources,
  };
}
