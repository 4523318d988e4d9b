import { z } from 'zod';
import { parseEngineMoment } from './answer.ts';
import type { FoundAnswer } from './answer.ts';
import type { Engine, EngineFault, TokenUse } from './engine.ts';
import { codeOf } from './faults.ts';
import { citation, count, items, pageShape, part, queryArgument, text, texts } from './lenient.ts';
import { markedPages } from './marked-pages.ts';

const contentPart = z.object({
  type: text,
  text,
  annotations: items(citation.extend({ start_index: count })),
});

/** An item of `output`: a message, a search, or anything else. */
const outputItem = z.object({
  type: text,
  status: text,
  phase: text,
  content: z.union([
    z.string().transform((value) => [contentPart.parse({ type: 'output_text', text: value })]),
    items(contentPart),
  ]),
  action: part({ type: text, query: text, queries: texts, sources: items(z.object(pageShape)) }),
  arguments: queryArgument,
  queries: texts,
  results: items(z.object({ ...pageShape, id: count })),
  /** Pages that Perplexity opened. */
  contents: items(z.object(pageShape)),
});

/**
 * The Responses format of OpenAI, with the additions of xAI, DeepSeek and Perplexity. All additions
 * have different names, so one schema reads all of them.
 */
const response = z.object({
  id: text,
  model: text,
  created_at: count,
  status: text,
  error: z.unknown().optional(),
  incomplete_details: part({ reason: text }),
  output: z.array(z.unknown()).pipe(items(outputItem)),
  tool_usage: part({ web_search: part({ num_requests: count }) }),
  usage: part({
    input_tokens: count,
    input_tokens_details: part({ cached_tokens: count }),
    output_tokens: count,
    cost_in_usd_ticks: count,
    cost: part({ total_cost: count }),
    server_side_tool_usage_details: part({ web_search_calls: count }),
    tool_calls_details: part({ search_web: part({ invocation: count }) }),
  }),
});

type OutputItem = z.infer<typeof outputItem>;
type ResponseUsage = z.infer<typeof response>['usage'];

/** Asks with a web search that takes no options. */
export const requestResponses: Engine['request'] = (
  { text: content },
  { baseUrl, model, hasSearch, outputTokensMax },
) => ({
  url: `${baseUrl}/responses`,
  headers: {},
  body: {
    model,
    input: [{ role: 'user', content }],
    max_output_tokens: outputTokensMax,
    store: false,
    ...(hasSearch && { tools: [{ type: 'web_search' }] }),
  },
});

/** Reads a response in the Responses format; undefined for JSON without its list `output`. */
export function readResponses(value: object): FoundAnswer | undefined {
  const parsed = response.safeParse(value);
  if (!parsed.success) return undefined;
  const { output, usage, model, id, created_at: createdAt, ...rest } = parsed.data;
  const messages = output.filter(({ type, phase }) => type === 'message' && phase !== 'commentary');
  const textMessages = messages.filter((message) => textOf(message) !== '');
  const final =
    textMessages.findLast(({ phase }) => phase === 'final_answer') ?? textMessages.at(-1);
  const results = output.flatMap((item) => item.results);
  const byNumber = new Map(results.map((result) => [result.id, result]));
  const searches = output.filter(isSearch);
  return {
    isRefused:
      messages.some(({ content }) => content.some(({ type }) => type === 'refusal')) ||
      rest.incomplete_details?.reason === 'content_filter',
    fault: faultOf(rest, final) ?? openCall(output, final),
    text: textOf(final),
    sources: [
      ...markedPages(textOf(final), (number) => byNumber.get(number)),
      ...(final?.content ?? []).flatMap(citedInOrder),
    ],
    retrieved: [
      ...output.flatMap(({ action }) => action?.sources ?? []),
      ...results,
      ...output.flatMap(({ contents }) => contents),
    ],
    searches:
      rest.tool_usage?.web_search?.num_requests ??
      usage?.server_side_tool_usage_details?.web_search_calls ??
      usage?.tool_calls_details?.search_web?.invocation ??
      searches.length,
    queries: searches.flatMap(queriesOf),
    model: model ?? null,
    tokens: tokensOf(usage),
    reportedUsd: reportedUsd(usage),
    responseId: id ?? null,
    answeredAt: parseEngineMoment(createdAt),
  };
}

function textOf(message: OutputItem | undefined): string {
  return (message?.content ?? [])
    .map((each) => (each.type === 'output_text' ? each.text : ''))
    .join('');
}

/** Sorts citations by offset. Some have none, but the list is usually in the order of the text. */
function citedInOrder({ annotations }: z.infer<typeof contentPart>) {
  return annotations.toSorted(({ start_index: left }, { start_index: right }) =>
    left === undefined || right === undefined ? 0 : left - right,
  );
}

/** Opening a page, or searching within one, isn't a web search and isn't billed. */
function isSearch({ type, action }: OutputItem): boolean {
  if (type === 'search_results') return true;
  return type === 'web_search_call' && (action?.type ?? 'search') === 'search';
}

/** DeepSeek puts the id of the call among the queries. */
function queriesOf({ action, arguments: argument, queries }: OutputItem): string[] {
  const searches = [...queries, ...(action?.queries ?? [])];
  const single = action?.query ?? argument;
  if (searches.length === 0 && single !== undefined) searches.push(single);
  return searches.filter((query) => !query.startsWith('ws_call_id='));
}

const endedBadly = new Set(
  'failed cancelling cancelled expired in_progress queued requires_action'.split(' '),
);

function faultOf(
  {
    status,
    error,
    incomplete_details: details,
  }: Pick<z.infer<typeof response>, 'status' | 'error' | 'incomplete_details'>,
  final: OutputItem | undefined,
): EngineFault | undefined {
  const code = codeOf({ error });
  if (code !== undefined) return { kind: 'failed', code };
  if (status === 'incomplete') {
    const { reason } = details ?? {};
    return reason === 'content_filter' ? undefined : { kind: 'truncated', code: reason };
  }
  if (endedBadly.has(status ?? '')) return { kind: 'failed', code: status };
  return final?.status === 'incomplete' ? { kind: 'truncated', code: final.status } : undefined;
}

/** The text before a call of the client's own tool is not the answer yet. */
function openCall(
  output: readonly OutputItem[],
  final: OutputItem | undefined,
): EngineFault | undefined {
  const after = output.slice(final === undefined ? 0 : output.indexOf(final) + 1);
  const isOpen = after.some(({ type }) => type === 'function_call');
  return isOpen ? { kind: 'failed', code: 'function_call' } : undefined;
}

function tokensOf(usage: ResponseUsage): TokenUse | null {
  if (usage?.input_tokens === undefined) return null;
  const cached = usage.input_tokens_details?.cached_tokens ?? 0;
  return { input: usage.input_tokens, cached, output: usage.output_tokens ?? 0 };
}

/** xAI reports costs in ticks of 1e-10 USD. */
function reportedUsd(usage: ResponseUsage): number | null {
  const ticks = usage?.cost_in_usd_ticks;
  return ticks === undefined ? (usage?.cost?.total_cost ?? null) : ticks / 1e10;
}
