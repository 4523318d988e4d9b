import { reader } from './answer.ts';
import { readChat } from './chat.ts';
import type { Engine } from './engine.ts';
import { countryOf } from './place.ts';
import { readResponses } from './responses.ts';

/**
 * Perplexity's Agent API. The API refuses unknown fields. A preset instead of a model would answer
 * with another vendor's model. Answers of the Sonar API, which ended in September 2026, are still
 * read.
 */
export const perplexityApi: Engine = {
  slug: 'perplexity_api',
  defaults: {
    baseUrl: 'https://api.perplexity.ai/v1',
    model: 'perplexity/sonar',
    keyVariable: 'PERPLEXITY_API_KEY',
  },
  keyHeader: 'authorization',
  usual: { input: 5200, output: 200, searches: 1 },
  prices: [
    {
      model: 'perplexity/sonar',
      input: 0.25,
      output: 2.5,
      searches: 2.5,
      checked: '2026-10-03',
      source: 'https://docs.perplexity.ai/getting-started/pricing',
    },
  ],
  request: ({ text, locale }, { baseUrl, model, hasSearch, outputTokensMax }) => {
    const country = countryOf(locale);
    const place = country === undefined ? {} : { user_location: { country } };
    return {
      url: `${baseUrl}/agent`,
      headers: {},
      body: {
        model,
        input: text,
        max_output_tokens: outputTokensMax,
        store: false,
        ...(hasSearch && { tools: [{ type: 'web_search', ...place }] }),
      },
    };
  },
  read: reader((value) => readResponses(value) ?? readChat(value)),
};
