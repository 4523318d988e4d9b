import { listedPricesOf } from './prices.ts';
import { z } from 'zod';
import { parseJson } from '../../values/json.ts';
import { reader } from './answer.ts';
import type { FoundAnswer } from './answer.ts';
import type { Engine, EngineFault, EngineRequest } from './engine.ts';
import { count, items, pageShape, part, storable, text } from './lenient.ts';
import { approximatePlace } from './place.ts';

const block = z.object({
  type: text,
  text,
  name: text,
  input: part({ query: text }),
  // Take only citations of a web search or a search result. Other kinds may also have an address.
  citations: items(
    z.union([
      z.object({
        ...pageShape,
        type: z
          .string()
          .regex(/_location$/)
          .optional(),
      }),
      z
        .object({
          type: z.literal('search_result_location'),
          source: storable.pipe(z.string().regex(/^https?:/i)),
          title: text,
        })
        .transform(({ source: url, title }) => ({ url, title })),
    ]),
  ),
  content: items(z.object(pageShape)),
});

const message = z.object({
  id: text,
  model: text,
  content: z.array(z.unknown()).pipe(items(block)),
  stop_reason: text,
  usage: part({
    input_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    output_tokens: count,
    server_tool_use: part({ web_search_requests: count }),
  }),
});

const source = 'https://docs.claude.com/en/docs/about-claude/pricing';
const priced = { searches: 10, checked: '2026-10-03', source };

/** Anthropic's Messages API with its web search tool. */
export const claudeApi: Engine = {
  slug: 'claude_api',
  defaults: {
    baseUrl: 'https://api.anthropic.com/v1',
    model: 'claude-haiku-4-5',
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  keyHeader: 'x-api-key',
  canRequireSearch: true,
  usual: { input: 14_000, output: 400, searches: 1.2 },
  prices: [
    ...listedPricesOf('claude_api', { searches: 10 }),
    { model: 'claude-sonnet-5-5', input: 2, output: 10, ...priced },
  ],
  request: ({ text: content, locale }, { baseUrl, model, hasSearch, requiresSearch, ...caps }) => ({
    url: `${baseUrl}/messages`,
    headers: { 'anthropic-version': '2023-06-01' },
    body: {
      model,
      max_tokens: caps.outputTokensMax,
      messages: [{ role: 'user', content }],
      ...(hasSearch && {
        tools: [
          {
            // Later versions search through code execution on some models, and not on others.
            type: 'web_search_20250305',
            name: 'web_search',
            max_uses: caps.searchesMax,
            ...approximatePlace(locale),
          },
        ],
        ...(requiresSearch && { tool_choice: { type: 'tool', name: 'web_search' } }),
      }),
    },
  }),
  read: reader(readMessage),
  next,
};

/** The result of a tool of Anthropic's, whichever: a client's result is no part of a response. */
const results = /_tool_result$/;

function readMessage(value: object): FoundAnswer | undefined {
  const parsed = message.safeParse(value);
  if (!parsed.success) return undefined;
  const { content, usage, stop_reason: reason, model, id } = parsed.data;
  // Text before the last search result only announces the next step. If nothing follows that
  // result, take all text.
  const after = content.slice(content.findLastIndex(({ type }) => results.test(type ?? '')) + 1);
  const texts = [after, content]
    .map((blocks) => blocks.filter(({ type }) => type === 'text'))
    .find((blocks) => blocks.some((each) => (each.text ?? '').trim() !== ''));
  const searches = content.filter(
    ({ type, name }) => type === 'server_tool_use' && name === 'web_search',
  );
  const cached = usage?.cache_read_input_tokens ?? 0;
  return {
    isRefused: reason === 'refusal',
    fault: faultOf(content.some(({ type }) => type === 'tool_use') ? 'tool_use' : reason),
    // Join the blocks directly, because the text is split wherever a citation begins.
    text: (texts ?? []).map((each) => each.text).join(''),
    sources: (texts ?? []).flatMap(({ citations }) => citations),
    retrieved: content.flatMap((each) => each.content),
    searches:
      usage?.server_tool_use?.web_search_requests ?? (content.length > 0 ? searches.length : null),
    queries: searches.flatMap(({ input }) => input?.query ?? []),
    model: model ?? null,
    tokens:
      usage?.input_tokens === undefined
        ? null
        : {
            input: usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
            cached,
            output: usage.output_tokens ?? 0,
          },
    responseId: id ?? null,
  };
}

function faultOf(reason: string | undefined): EngineFault | undefined {
  if (reason === 'pause_turn') return { kind: 'unfinished', code: reason };
  // The text before a call of the client's own tool is not the answer yet.
  if (reason === 'tool_use') return { kind: 'failed', code: reason };
  const isCut = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
  return isCut ? { kind: 'truncated', code: reason } : undefined;
}

const paused = z.object({ stop_reason: z.literal('pause_turn'), content: z.array(z.unknown()) });

/** A paused answer continues if it is sent back unchanged. It has searched, so it need not again. */
function next({ url, headers, body }: EngineRequest, response: string): EngineRequest | undefined {
  const { data } = paused.safeParse(parseJson(response));
  if (data === undefined) return undefined;
  const { tool_choice: _, ...unforced } = body;
  const messages = z.array(z.unknown()).parse(body['messages']);
  const answered = { role: 'assistant', content: data.content };
  return { url, headers, body: { ...unforced, messages: [...messages, answered] } };
}
