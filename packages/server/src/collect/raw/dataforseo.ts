import { z } from 'zod';
import { parseJson } from '../../values/json.ts';
import { reader } from '../engines/answer.ts';
import { count, items, pageShape, part, text, texts } from '../engines/lenient.ts';
import { momentOrText } from './raw-response.ts';
import type { RawAnswer, RawResponse } from './raw-response.ts';

const pages = items(z.object(pageShape));

const overview = z.object({ type: z.literal('ai_overview'), markdown: text, references: pages });

/** A task asks about one keyword. */
const task = z
  .object({
    id: text,
    status_code: count,
    data: part({ keyword: text, language_code: text }),
    result: items(
      z.object({
        keyword: text,
        language_code: text,
        datetime: text,
        items: items(overview),
        // The model, which only the ChatGPT scraper names.
        model: text,
        markdown: text,
        sources: pages,
        search_results: pages,
        fan_out_queries: texts,
      }),
    ),
  })
  .refine(({ result, status_code: code = 0 }) => result.length > 0 || isError(code));

const tasks = z.object({ tasks: z.array(z.unknown()) });

/** The tasks of a response, or the value itself if it is one task. */
export function tasksOf(body: string): readonly unknown[] {
  const value = parseJson(body);
  return tasks.safeParse(value).data?.tasks ?? [value];
}

/**
 * Reads the answers in a response of DataForSEO, one per task: AI overviews, and answers of AI Mode
 * and of the ChatGPT scraper. A result page without an overview is an empty answer.
 */
export function readDataForSeo({ status, headers, body }: RawResponse): RawAnswer[] {
  return tasksOf(body).map((each) => {
    const { data } = task.safeParse(each);
    const result = data?.result[0];
    return {
      answer: readTask(status, headers, JSON.stringify(each) ?? ''),
      prompt: result?.keyword ?? data?.data?.keyword,
      language: result?.language_code ?? data?.data?.language_code,
    };
  });
}

const readTask = reader((value) => {
  const { data } = task.safeParse(value);
  if (data === undefined) return undefined;
  const { id, status_code: code = 0, result } = data;
  const [page] = result;
  const overviewItems = page?.items ?? [];
  return {
    fault: isError(code) ? { kind: 'failed', code: String(code) } : undefined,
    text: page?.markdown ?? overviewItems.map(({ markdown }) => markdown ?? '').join('\n\n'),
    sources: [...(page?.sources ?? []), ...overviewItems.flatMap(({ references }) => references)],
    retrieved: page?.search_results ?? [],
    queries: page?.fan_out_queries ?? [],
    model: page?.model ?? null,
    responseId: id ?? null,
    answeredAt: momentOrText(page?.datetime),
  };
});

/** https://docs.dataforseo.com/v3/appendix/errors/ */
export function isError(code: number): boolean {
  return code >= 40_000;
}
