import { z } from 'zod';
import { items, pageShape, part, text, texts } from '../engines/lenient.ts';
import { engineOfPage } from './engine-of-page.ts';
import { momentOrText, recordReader } from './raw-response.ts';

const pages = items(z.object(pageShape));

/**
 * One record of an AI scraper. The fields that each returns:
 * https://docs.brightdata.com/datasets/scrapers/chatgpt/introduction
 */
const record = z
  .object({
    url: text,
    prompt: text,
    input: part({ url: text, prompt: text }),
    error: text,
    error_code: text,
    answer_text: text,
    answer_text_markdown: text,
    model: text,
    citations: pages,
    sources: pages,
    links_attached: pages,
    search_sources: pages,
    web_search_triggered: z.boolean().optional().catch(undefined),
    web_search_query: z.union([z.string().transform((query) => [query]), texts]),
    prompt_sent_at: text,
    timestamp: text,
  })
  // An answer may be null. The prompt then shows that the object is a record.
  .refine(({ answer_text: plain, answer_text_markdown: marked, ...rest }) =>
    [plain, marked, rest.error, rest.error_code, rest.prompt, rest.input?.prompt].some(
      (each) => each !== undefined,
    ),
  );

/** Reads a record of Bright Data's AI scrapers, whose address shows which app was asked. */
export const readBrightData = recordReader(record, (data) => {
  const isFailed = (data.error ?? data.error_code) !== undefined;
  const { web_search_query: queries, web_search_triggered: hasSearched } = data;
  return {
    prompt: data.prompt ?? data.input?.prompt,
    engine: engineOfPage(data.url ?? data.input?.url ?? ''),
    ...(isFailed && { fault: { kind: 'failed' as const } }),
    // Prefer Markdown, because it contains the links.
    text: data.answer_text_markdown ?? data.answer_text ?? '',
    sources: [...data.citations, ...data.sources, ...data.links_attached],
    retrieved: data.search_sources,
    searches: hasSearched === false ? 0 : null,
    queries,
    model: data.model ?? null,
    answeredAt: momentOrText(data.prompt_sent_at ?? data.timestamp),
  };
});
