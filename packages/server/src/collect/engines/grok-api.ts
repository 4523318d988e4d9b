import { listedPricesOf } from './prices.ts';
import { reader } from './answer.ts';
import { readChat } from './chat.ts';
import type { Engine } from './engine.ts';
import { readResponses, requestResponses } from './responses.ts';

/**
 * xAI's Responses API with its web search tool. The form of a place in REST requests is not
 * documented, so none is sent. Chat completions of xAI, DeepSeek and Mistral are still read.
 */
export const grokApi: Engine = {
  slug: 'grok_api',
  defaults: { baseUrl: 'https://api.x.ai/v1', model: 'grok-4.3', keyVariable: 'XAI_API_KEY' },
  keyHeader: 'authorization',
  usual: { input: 5000, output: 300, searches: 2 },
  prices: listedPricesOf('grok_api', { searches: 5 }),
  request: requestResponses,
  read: reader((value) => readResponses(value) ?? readChat(value)),
};
