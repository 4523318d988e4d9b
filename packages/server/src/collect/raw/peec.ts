import { z } from 'zod';
import { recordReader } from './raw-response.ts';
import { count, items, pageShape, part, text, texts } from '../engines/lenient.ts';

/** https://docs.peec.ai/api-reference/project/get-chat */
const peecChat = z.object({
  id: text,
  model: part({ id: text }),
  messages: z.array(z.unknown()).pipe(items(z.object({ role: text, content: text }))),
  sources: items(z.object({ ...pageShape, citationCount: count, citationPosition: count })),
  queries: texts,
});

/** The app or API for each name of a model at Peec AI. */
const peecEngines: ReadonlyArray<readonly [model: RegExp, engine: string]> = [
  [/^chatgpt-scraper$/, 'chatgpt'],
  [/^(?:microsoft-)?copilot-scraper$/, 'copilot'],
  [/^google-ai-overview-scraper$/, 'google_ai_overview'],
  [/^google-ai-mode-scraper$/, 'google_ai_mode'],
  [/^perplexity-scraper$/, 'perplexity'],
  [/^gemini-scraper$/, 'gemini'],
  [/^grok-scraper$/, 'grok'],
  [/^gpt-/, 'chatgpt_api'],
  [/sonar$/, 'perplexity_api'],
  [/^claude-/, 'claude_api'],
  [/^gemini-/, 'gemini_api'],
  [/^grok-/, 'grok_api'],
  [/^deepseek-/, 'deepseek_api'],
];

/** Reads a chat of Peec AI, which has no time. */
export const readPeec = recordReader(peecChat, (data) => {
  const model = data.model?.id ?? '';
  const place = ({ citationPosition = Infinity }: { citationPosition?: number | undefined }) =>
    citationPosition;
  return {
    prompt: data.messages.find(({ role }) => role === 'user')?.content,
    engine: peecEngines.find(([pattern]) => pattern.test(model))?.[1],
    text: data.messages.findLast(({ role }) => role === 'assistant')?.content ?? '',
    // Sources with a count of 0 were read but not cited.
    sources: data.sources
      .filter(({ citationCount = 1 }) => citationCount > 0)
      .toSorted((left, right) => (place(left) < place(right) ? -1 : 1)),
    retrieved: data.sources,
    queries: data.queries,
    model: data.model?.id ?? null,
    responseId: data.id ?? null,
  };
});
