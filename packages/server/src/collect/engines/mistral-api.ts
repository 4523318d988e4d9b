import { listedPricesOf } from './prices.ts';
import { z } from 'zod';
import { parseEngineMoment, reader } from './answer.ts';
import type { FoundAnswer } from './answer.ts';
import { readChat } from './chat.ts';
import type { Engine } from './engine.ts';
import { count, items, part, queryArgument, text } from './lenient.ts';

const contentPart = z.object({ type: text, text, url: text, title: text });

const entry = z.object({
  type: text,
  name: text,
  model: text,
  created_at: text,
  arguments: queryArgument,
  content: z.union([
    z.string().transform((value) => [contentPart.parse({ type: 'text', text: value })]),
    items(contentPart),
  ]),
});

const conversation = z.object({
  conversation_id: text,
  outputs: z.array(z.unknown()).pipe(items(entry)),
  usage: part({
    prompt_tokens: count,
    completion_tokens: count,
    connector_tokens: count,
    connectors: z.record(z.string(), count).optional().catch(undefined),
  }),
});

/**
 * Mistral's Conversations API with its web search connector. The API accepts neither a place nor a
 * limit of searches, and does not report why an answer ended.
 */
export const mistralApi: Engine = {
  slug: 'mistral_api',
  defaults: {
    baseUrl: 'https://api.mistral.ai/v1',
    model: 'mistral-medium-latest',
    keyVariable: 'MISTRAL_API_KEY',
  },
  keyHeader: 'authorization',
  usual: { input: 8000, output: 250, searches: 1 },
  prices: listedPricesOf('mistral_api', { searches: 30 }),
  request: ({ text: inputs }, { baseUrl, model, hasSearch, outputTokensMax }) => ({
    url: `${baseUrl}/conversations`,
    headers: {},
    body: {
      model,
      inputs,
      completion_args: { max_tokens: outputTokensMax },
      store: false,
      ...(hasSearch && { tools: [{ type: 'web_search' }] }),
    },
  }),
  read: reader((value) => readConversation(value) ?? readChat(value)),
};

function readConversation(value: object): FoundAnswer | undefined {
  const parsed = conversation.safeParse(value);
  if (!parsed.success) return undefined;
  const { outputs, usage, conversation_id: id } = parsed.data;
  const messages = outputs.filter(({ type }) => type === 'message.output');
  const final = messages.findLast((each) => textOf(each) !== '') ?? messages.at(-1);
  const searches = outputs.filter(
    ({ type, name }) => type === 'tool.execution' && isSearch(name ?? ''),
  );
  const billed = Object.entries(usage?.connectors ?? {}).filter(([name]) => isSearch(name));
  // The text before a call of the client's own tool is not the answer yet.
  const after = outputs.slice(final === undefined ? 0 : outputs.indexOf(final) + 1);
  const isOpen = after.some(({ type }) => type === 'function.call');
  return {
    ...(isOpen && { fault: { kind: 'failed', code: 'function_call' } }),
    text: textOf(final),
    // A reference follows the text that it supports.
    sources: (final?.content ?? []).flatMap(({ type, url, title }) =>
      type === 'tool_reference' && url !== undefined ? [{ url, title }] : [],
    ),
    searches:
      billed.length > 0 ? billed.reduce((sum, [, calls = 0]) => sum + calls, 0) : searches.length,
    queries: searches.flatMap((each) => each.arguments ?? []),
    model: final?.model ?? null,
    tokens:
      usage?.prompt_tokens === undefined
        ? null
        : {
            // Search results count as input, too.
            input: usage.prompt_tokens + (usage.connector_tokens ?? 0),
            cached: 0,
            output: usage.completion_tokens ?? 0,
          },
    responseId: id ?? null,
    answeredAt: parseEngineMoment(final?.created_at),
  };
}

/** Matches `web_search` and `web_search_premium`. */
function isSearch(name: string): boolean {
  return name.startsWith('web_search');
}

function textOf(message: z.infer<typeof entry> | undefined): string {
  return (message?.content ?? []).map((each) => (each.type === 'text' ? each.text : '')).join('');
}
