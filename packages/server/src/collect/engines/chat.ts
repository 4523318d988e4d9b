import { z } from 'zod';
import { parseEngineMoment } from './answer.ts';
import type { FoundAnswer } from './answer.ts';
import type { EngineFault } from './engine.ts';
import { codeOf } from './faults.ts';
import { citation, count, items, pageShape, part, storable, text, texts } from './lenient.ts';
import { markedPages } from './marked-pages.ts';

const page = z.object(pageShape);

/** OpenRouter nests the facts of a citation. Other engines do not. */
const annotation = z.union([
  z.object({ url_citation: page }).transform((outer) => outer.url_citation),
  citation,
]);

const choice = z.object({
  finish_reason: text,
  error: z.unknown().optional(),
  message: part({
    content: z
      .union([
        z.string(),
        items(z.object({ type: text, text })).transform((parts) =>
          parts.map((each) => (each.type === 'text' ? each.text : '')).join(''),
        ),
      ])
      .pipe(storable)
      .optional()
      .catch(undefined),
    refusal: text,
    annotations: items(annotation),
    tool_calls: items(z.object({ type: z.literal('function') })),
    function_call: part({ name: text }),
  }),
});

/**
 * The Chat Completions format, which OpenRouter, Ollama, vLLM and gateways use, and Perplexity
 * until September 2026.
 */
const completion = z.object({
  // Exclude parts of a stream, which are not whole answers.
  object: text.refine((value) => value?.endsWith('chunk') !== true),
  error: z.unknown().optional(),
  id: text,
  model: text,
  created: count,
  choices: z.array(z.unknown()).min(1).pipe(items(choice)),
  citations: texts,
  search_results: items(page),
  usage: part({
    prompt_tokens: count,
    prompt_tokens_details: part({ cached_tokens: count }),
    completion_tokens: count,
    cost: z
      .union([z.number().nonnegative(), z.object({ total_cost: z.number().nonnegative() })])
      .optional()
      .catch(undefined),
    is_byok: z.boolean().optional().catch(undefined),
    cost_details: part({ upstream_inference_cost: count }),
    num_search_queries: count,
    server_tool_use_details: part({ web_search_requests: count }),
  }),
});

/** Reads a chat completion; undefined for JSON without choices. */
export function readChat(value: object): FoundAnswer | undefined {
  const parsed = completion.safeParse(value);
  const choices = parsed.data?.choices ?? [];
  const first = choices.find(({ message }) => (message?.content ?? '') !== '') ?? choices[0];
  if (!parsed.success || first === undefined) return undefined;
  const { usage, citations, search_results: results, ...rest } = parsed.data;
  const { message, finish_reason: reason } = first;
  const retrieved = results.length > 0 ? results : citations.map((url) => ({ url }));
  const visibleText = withoutThoughts(message?.content ?? '');
  return {
    isRefused: (message?.refusal ?? '') !== '' || reason === 'content_filter',
    fault: faultOf(reasonOf(first), first.error ?? rest.error),
    text: visibleText,
    sources: [
      ...markedPages(visibleText, (number) => retrieved[number - 1]),
      ...(message?.annotations ?? []),
    ],
    retrieved,
    searches:
      usage?.server_tool_use_details?.web_search_requests ?? usage?.num_search_queries ?? null,
    model: rest.model ?? null,
    tokens:
      usage?.prompt_tokens === undefined
        ? null
        : {
            input: usage.prompt_tokens,
            cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
            output: usage.completion_tokens ?? 0,
          },
    reportedUsd: reportedUsd(usage),
    responseId: rest.id ?? null,
    answeredAt: parseEngineMoment(rest.created),
  };
}

/**
 * If the operator uses their own vendor key at OpenRouter, the vendor bills separately from
 * OpenRouter's fee.
 */
function reportedUsd(usage: z.infer<typeof completion>['usage']): number | null {
  const { cost, is_byok: isOwnKey, cost_details: details } = usage ?? {};
  if (cost === undefined) return null;
  const vendors = isOwnKey === true ? (details?.upstream_inference_cost ?? 0) : 0;
  return (typeof cost === 'object' ? cost.total_cost : cost) + vendors;
}

/**
 * Reasons of failed answers, including those of Mistral, DeepSeek and vLLM. The text before a call
 * of the client's own tool is not the answer yet.
 */
const failures = new Set([
  'error',
  'insufficient_system_resource',
  'abort',
  'tool_calls',
  'function_call',
]);

/** Why the choice ended. A call that was forced ends with `stop`. */
function reasonOf({ finish_reason: reason, message }: z.infer<typeof choice>): string | undefined {
  if ((message?.tool_calls ?? []).length > 0) return 'tool_calls';
  return message?.function_call === undefined ? reason : 'function_call';
}

function faultOf(reason = '', error: unknown): EngineFault | undefined {
  const code = codeOf({ error });
  if (code !== undefined || failures.has(reason)) return { kind: 'failed', code: code ?? reason };
  const isCut = reason === 'length' || reason === 'model_length';
  return isCut ? { kind: 'truncated', code: reason } : undefined;
}

/** Reasoning models write their thoughts before the answer; some servers send only the closing tag. */
function withoutThoughts(content: string): string {
  const [opening, closing] = ['<think>', '</think>'].map((tag) => content.indexOf(tag));
  if (opening === undefined || closing === undefined || closing === -1) return content;
  const isThought = opening === -1 || content.slice(0, opening).trim() === '';
  return isThought ? content.slice(closing + '</think>'.length).trimStart() : content;
}
