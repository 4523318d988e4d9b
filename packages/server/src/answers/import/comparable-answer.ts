import type { Answer } from './answer.ts';
import type { AnswerField } from './parse-answer.ts';

/** The fields that must be equal in two answers of the same run, under their names in a file. */
export type ComparableAnswer = Readonly<Partial<Record<AnswerField, unknown>>>;

/**
 * Makes a comparable form of an answer of a file. Leaves out the prompt's text if the row has only
 * its id.
 */
export function toComparable(answer: Answer): ComparableAnswer {
  const { promptId, prompt, engine, model, runAt, outcome, answer: text, sources } = answer;
  return {
    prompt_id: promptId,
    prompt: prompt?.text,
    engine,
    model,
    run_at: runAt,
    outcome,
    answer: text,
    sources,
  };
}
