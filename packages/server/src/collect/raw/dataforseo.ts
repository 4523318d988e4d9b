import { z } from 'zod';
import { count, items, pageShape, part, text, texts } from '../engines/lenient.ts';
import type { EngineFault } from '../engines/engine.ts';
import { momentOrText, recordReader } from './raw-response.ts';

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

/**
 * Reads the answers in a response of DataForSEO, one per task: AI overviews, and answers of AI Mode
 * and of the ChatGPT scraper. A result page without an overview is an empty answer.
 */
export const readDataForSeo = recordReader(task, readTask, 'tasks');

function readTask({ id, status_code: code = 0, data, result }: z.infer<typeof task>) {
  const [page] = result;
  const overviewItems = page?.items ?? [];
  return {
    prompt: page?.keyword ?? data?.keyword,
    language: page?.language_code ?? data?.language_code,
    ...faultOf(code),
    text: page?.markdown ?? overviewItems.map(({ markdown }) => markdown ?? '').join('\n\n'),
    sources: [...(page?.sources ?? []), ...overviewItems.flatMap(({ references }) => references)],
    retrieved: page?.search_results ?? [],
    queries: page?.fan_out_queries ?? [],
    model: page?.model ?? null,
    responseId: id ?? null,
    answeredAt: momentOrText(page?.datetime),
  };
}

/** The fault of a task's code; none if it has succeeded. */
export function faultOf(code: number): { readonly fault?: EngineFault } {
  return isError(code) ? { fault: { kind: 'failed', code: String(code) } } : {};
}

/** https://docs.dataforseo.com/v3/appendix/errors/ */
export function isError(code: number): boolean {
  return code >= 40_000;
}
