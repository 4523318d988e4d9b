import { chatgptApi } from '../engines/chatgpt-api.ts';
import { claudeApi } from '../engines/claude-api.ts';
import { deepseekApi } from '../engines/deepseek-api.ts';
import type { Engine } from '../engines/engine.ts';
import { geminiApi } from '../engines/gemini-api.ts';
import { grokApi } from '../engines/grok-api.ts';
import { mistralApi } from '../engines/mistral-api.ts';
import { openaiCompatible } from '../engines/openai-compatible.ts';
import { perplexityApi } from '../engines/perplexity-api.ts';
import { readBrightData } from './brightdata.ts';
import { readLlmResponses } from './dataforseo-llm-responses.ts';
import { readDataForSeo } from './dataforseo.ts';
import { readOxylabs } from './oxylabs.ts';
import { readPeec } from './peec.ts';
import { readProfound } from './profound.ts';
import type { RawAnswer, RawResponse } from './raw-response.ts';
import { readSerpApi } from './serpapi.ts';

export interface RawFormat {
  /** The name that a person types. */
  readonly name: string;
  /** The engine of its answers; undefined if several engines use the format. */
  readonly engine: string | undefined;
  /** Whether a response names its engine. */
  readonly saysEngine?: boolean;
  readonly read: (response: RawResponse) => readonly RawAnswer[];
}

/** The formats of raw responses that can be imported. */
export const rawFormats: readonly RawFormat[] = [
  of('openai-responses', chatgptApi),
  of('anthropic-messages', claudeApi),
  { ...of('gemini', geminiApi), read: readGemini },
  of('perplexity', perplexityApi),
  of('grok', grokApi),
  of('mistral', mistralApi),
  of('deepseek', deepseekApi),
  { ...of('openai-chat', openaiCompatible), engine: undefined },
  { name: 'dataforseo-ai-overview', engine: 'google_ai_overview', read: readDataForSeo },
  { name: 'dataforseo-ai-mode', engine: 'google_ai_mode', read: readDataForSeo },
  { name: 'dataforseo-chatgpt', engine: 'chatgpt', read: readDataForSeo },
  { name: 'dataforseo-llm-responses', engine: undefined, saysEngine: true, read: readLlmResponses },
  { name: 'serpapi-ai-overview', engine: 'google_ai_overview', read: readSerpApi },
  { name: 'serpapi-ai-mode', engine: 'google_ai_mode', read: readSerpApi },
  { name: 'brightdata', engine: undefined, saysEngine: true, read: readBrightData },
  { name: 'oxylabs', engine: undefined, saysEngine: true, read: readOxylabs },
  { name: 'peec', engine: undefined, saysEngine: true, read: readPeec },
  { name: 'profound', engine: undefined, saysEngine: true, read: readProfound },
];

/** In a stream from Google, only the last part says why the model stopped. */
function readGemini({ status, headers, body }: RawResponse): RawAnswer[] {
  const isOpen = body.includes('"candidates"') && !/"finishReason"\s*:/.test(body);
  return [{ answer: geminiApi.read(status, headers, body), isOpen }];
}

function of(name: string, { slug, read }: Engine): RawFormat {
  return {
    name,
    engine: slug,
    read: ({ status, headers, body }) => [{ answer: read(status, headers, body) }],
  };
}
