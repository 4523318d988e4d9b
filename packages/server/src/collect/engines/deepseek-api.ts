import { listedPricesOf } from './prices.ts';
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
  prices: listedPricesOf('deepseek_api'),
  request: requestResponses,
  read: reader((value) => readResponses(value) ?? readChat(value)),
};
