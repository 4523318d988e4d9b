import { reader } from './answer.ts';
import { readChat } from './chat.ts';
import type { Engine } from './engine.ts';
import { readResponses, requestResponses } from './responses.ts';

/** DeepSeek's Responses API with web search. It cites only by links in the text. */
export const deepseekApi: Engine = {
  slug: 'deepseek_api',
  defaults: {
    baseUrl: 'https://api.deepseek.com',
    model: 'deepseek-v4-flash',
    keyVariable: 'DEEPSEEK_API_KEY',
  },
  keyHeader: 'authorization',
  usual: { input: 15_800, output: 300, searches: 1 },
  prices: [
    {
      model: 'deepseek-v4-flash',
      input: 0.14,
      cached: 0.0028,
      output: 0.28,
      // The price of a search is not published.
      checked: '2026-10-03',
      source: 'https://api-docs.deepseek.com/quick_start/pricing',
    },
  ],
  request: requestResponses,
  read: reader((value) => readResponses(value) ?? readChat(value)),
};
