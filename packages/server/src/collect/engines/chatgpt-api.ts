import { listedPricesOf } from './prices.ts';
import { reader } from './answer.ts';
import type { Engine } from './engine.ts';
import { approximatePlace } from './place.ts';
import { readResponses } from './responses.ts';

const source = 'https://openai.com/api/pricing/';
const priced = { searches: 10, checked: '2026-10-03', source };

/** OpenAI's Responses API with its web search tool. */
export const chatgptApi: Engine = {
  slug: 'chatgpt_api',
  defaults: {
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-6-luna',
    keyVariable: 'OPENAI_API_KEY',
  },
  keyHeader: 'authorization',
  canRequireSearch: true,
  usual: { input: 15_500, output: 100, searches: 1.5 },
  prices: [
    ...listedPricesOf('chatgpt_api', { searches: 10 }),
    { model: 'gpt-6.1-sol', input: 2, output: 10, ...priced },
  ],
  request: ({ text, locale }, { baseUrl, model, hasSearch, requiresSearch, ...caps }) => ({
    url: `${baseUrl}/responses`,
    headers: {},
    body: {
      model,
      input: text,
      max_output_tokens: caps.outputTokensMax,
      store: false,
      ...(hasSearch && {
        // Without a place the engine answers as for the United States.
        tools: [{ type: 'web_search', ...approximatePlace(locale) }],
        // The web search is the only tool.
        tool_choice: requiresSearch ? 'required' : 'auto',
        include: ['web_search_call.action.sources'],
        max_tool_calls: caps.searchesMax,
      }),
    },
  }),
  read: reader(readResponses),
};
