import { z } from 'zod';
import { items, pageShape, storable, text, texts } from '../engines/lenient.ts';
import { momentOrText, recordReader } from './raw-response.ts';

/** https://docs.tryprofound.com/rest-api/reports/query-answers-v2 */
const profoundRow = z
  .object({
    run_id: text,
    date: text,
    created_at: text,
    model: z
      .union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
      .optional()
      .catch(undefined),
    prompt: text,
    response: text,
    citations: items(z.union([storable.transform((url) => ({ url })), z.object(pageShape)])),
    search_queries: texts,
  })
  .refine((row) => (row.response ?? row.run_id) !== undefined);

const profoundEngines: ReadonlyArray<readonly [model: RegExp, engine: string]> = [
  [/ai overview/i, 'google_ai_overview'],
  [/ai mode/i, 'google_ai_mode'],
  [/chatgpt/i, 'chatgpt'],
  [/perplexity/i, 'perplexity'],
  [/gemini/i, 'gemini'],
  [/claude/i, 'claude'],
  [/copilot/i, 'copilot'],
  [/grok/i, 'grok'],
];

/** Reads a response of Profound, which has many answers. */
export const readProfound = recordReader(
  profoundRow,
  (data) => {
    const { prompt, model = '' } = data;
    const { response, citations, search_queries: queries, run_id: id, created_at: at, date } = data;
    return {
      prompt,
      engine: profoundEngines.find(([pattern]) => pattern.test(model))?.[1],
      text: response ?? '',
      sources: citations,
      queries,
      responseId: id ?? null,
      // A day without a time stays a day, because the time is unknown.
      answeredAt: momentOrText(at ?? date),
    };
  },
  'data',
);
