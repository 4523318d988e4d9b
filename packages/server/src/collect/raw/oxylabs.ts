import { z } from 'zod';
import { count, items, pageShape, part, storable, text } from '../engines/lenient.ts';
import { engineOfPage } from './engine-of-page.ts';
import { momentOrText, recordReader } from './raw-response.ts';

const pages = items(z.object(pageShape));

/** A text, or the texts of its parts. */
const joined = z
  .union([storable, z.array(storable).transform((parts) => parts.join('\n\n'))])
  .optional()
  .catch(undefined);

/**
 * A parsed result. ChatGPT's has `prompt` and `markdown_text`, Perplexity's `prompt_query` and
 * `answer_results_md`: https://developers.oxylabs.io/api-targets/llms-and-ai
 */
const result = z.object({
  url: text,
  job_id: text,
  status_code: count,
  created_at: text,
  content: z.object({
    prompt: text,
    prompt_query: text,
    llm_model: text,
    model: text,
    markdown_text: joined,
    answer_results_md: joined,
    response_text: joined,
    citations: pages,
    additional_results: part({ sources_results: pages }),
  }),
});

/** Reads the answers in a response of Oxylabs' scrapers, whose addresses show which app was asked. */
export const readOxylabs = recordReader(
  result,
  (data) => {
    const { content, status_code: code = 200, job_id: id, created_at: at } = data;
    return {
      prompt: content.prompt ?? content.prompt_query,
      engine: engineOfPage(data.url ?? ''),
      fault: code >= 400 ? { kind: 'failed', code: String(code) } : undefined,
      // Prefer Markdown, because it contains the links.
      text: content.markdown_text ?? content.answer_results_md ?? content.response_text ?? '',
      sources: [...content.citations, ...(content.additional_results?.sources_results ?? [])],
      model: content.llm_model ?? content.model ?? null,
      responseId: id ?? null,
      answeredAt: momentOrText(at),
    };
  },
  'results',
);
