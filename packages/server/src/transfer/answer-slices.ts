import type { AnswerRow } from '@overheard/contract';
import type { FileCells } from './format-rows.ts';

/** Pages of answers as rows that can be imported again. */
export async function* answerSlices(
  pages: AsyncIterable<readonly AnswerRow[]>,
  prompts: ReadonlyMap<string, { readonly language: string }>,
): AsyncGenerator<FileCells[]> {
  for await (const page of pages) {
    yield page.map((answer) => ({
      id: answer.run_id,
      prompt_id: answer.prompt_id,
      prompt: answer.prompt,
      language: prompts.get(answer.prompt_id)?.language ?? null,
      locale: answer.locale,
      engine: answer.engine,
      model: answer.model,
      run_at: answer.run_at,
      outcome: answer.outcome,
      answer: answer.text,
      sources: answer.sources.map(({ url, title }) => (title === '' ? { url } : { url, title })),
      queries: answer.queries,
    }));
  }
}
