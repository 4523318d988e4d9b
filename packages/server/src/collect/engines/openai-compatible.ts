import { reader } from './answer.ts';
import { readChat } from './chat.ts';
import type { Engine } from './engine.ts';
import { readResponses } from './responses.ts';

/**
 * Any server that speaks Chat Completions: Ollama, vLLM, gateways, OpenRouter. Only OpenRouter has
 * a known search tool, which may be from a different vendor than the model.
 */
export const openaiCompatible: Engine = {
  slug: 'openai_compatible',
  defaults: { keyVariable: 'OPENAI_COMPATIBLE_API_KEY' },
  keyHeader: 'authorization',
  isOwn: true,
  canSearch: (baseUrl) => URL.parse(baseUrl)?.hostname === 'openrouter.ai',
  prices: [],
  request: ({ text }, { baseUrl, model, hasSearch, searchesMax, outputTokensMax }) => ({
    url: `${baseUrl}/chat/completions`,
    headers: {},
    body: {
      model,
      messages: [{ role: 'user', content: text }],
      max_tokens: outputTokensMax,
      stream: false,
      ...(hasSearch && {
        tools: [{ type: 'openrouter:web_search', parameters: { max_uses: searchesMax } }],
      }),
    },
  }),
  read: reader((value) => readResponses(value) ?? readChat(value)),
};
