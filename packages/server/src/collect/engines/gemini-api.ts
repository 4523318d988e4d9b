import { listedPricesOf } from './prices.ts';
import { z } from 'zod';
import { parseEngineMoment, reader } from './answer.ts';
import type { FoundAnswer } from './answer.ts';
import type { Engine, EngineFault, WebPage } from './engine.ts';
import { readGeminiInteraction } from './gemini-interaction.ts';
import { count, items, part, text, texts } from './lenient.ts';

const chunkPage = part({ uri: text, title: text, domain: text });

/** Supports refer to chunks by index, so keep unknown chunks at their places. */
const chunks = z
  .array(z.object({ web: chunkPage, maps: chunkPage }).catch({ web: undefined, maps: undefined }))
  .catch([]);

const candidate = z.object({
  content: part({
    parts: items(
      z.object({ text, thought: z.unknown().optional(), functionCall: part({ name: text }) }),
    ),
  }),
  finishReason: text,
  groundingMetadata: part({
    webSearchQueries: texts,
    groundingChunks: chunks,
    groundingSupports: items(
      z.object({
        segment: part({ startIndex: count, partIndex: count }),
        groundingChunkIndices: items(z.int().nonnegative()),
      }),
    ),
  }),
});

const generated = z
  .object({
    candidates: items(candidate),
    promptFeedback: part({ blockReason: text }),
    modelVersion: text,
    responseId: text,
    /** The time of the answer, which only Vertex AI sends. */
    createTime: text,
    usageMetadata: part({
      promptTokenCount: count,
      cachedContentTokenCount: count,
      candidatesTokenCount: count,
      thoughtsTokenCount: count,
    }),
  })
  .refine((value) => value.candidates[0] ?? value.promptFeedback ?? value.usageMetadata);

/**
 * Google's generateContent API. Responses in its Interactions format are read as well. Grounding
 * with Google Search has separate terms, which forbid storing and analysing its results.
 */
export const geminiApi: Engine = {
  slug: 'gemini_api',
  defaults: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    model: 'gemini-3.5-flash-lite',
    keyVariable: 'GEMINI_API_KEY',
  },
  keyHeader: 'x-goog-api-key',
  hasSearchTerms: true,
  usual: { input: 100, output: 1150, searches: 2 },
  prices: listedPricesOf('gemini_api', { searches: 14 }),
  request: ({ text: promptText }, { baseUrl, model, hasSearch, outputTokensMax }) => ({
    url: `${baseUrl}/models/${encodeURIComponent(model)}:generateContent`,
    headers: {},
    body: {
      contents: [{ role: 'user', parts: [{ text: promptText }] }],
      generationConfig: { maxOutputTokens: outputTokensMax },
      ...(hasSearch && { tools: [{ google_search: {} }] }),
    },
  }),
  read: reader((value) => readGeminiInteraction(value) ?? readGenerated(value)),
};

function readGenerated(value: object): FoundAnswer | undefined {
  const parsed = generated.safeParse(value);
  if (!parsed.success) return undefined;
  const {
    candidates,
    promptFeedback,
    modelVersion,
    responseId,
    createTime,
    usageMetadata: usage,
  } = parsed.data;
  const first =
    candidates.find((each) => textOf(each) !== '') ??
    candidates.find(({ finishReason }) => finishReason !== undefined) ??
    candidates[0];
  const grounding = first?.groundingMetadata;
  const pages = (grounding?.groundingChunks ?? []).map(toPage);
  const supports = (grounding?.groundingSupports ?? []).toSorted(byPlace);
  const cited = supports.flatMap(({ groundingChunkIndices: indices }) =>
    indices.flatMap((index) => pages[index] ?? []),
  );
  const retrieved = pages.flatMap((page) => page ?? []);
  const queries = grounding?.webSearchQueries ?? [];
  return {
    isRefused: promptFeedback?.blockReason !== undefined || refusals.has(first?.finishReason ?? ''),
    // The text before a call of the client's own tool is not the answer yet.
    fault:
      faultOf(first?.finishReason) ??
      (first?.content?.parts.some(({ functionCall }) => functionCall !== undefined) === true
        ? { kind: 'failed', code: 'function_call' }
        : undefined),
    text: textOf(first),
    sources: supports.length === 0 ? retrieved : cited,
    retrieved,
    searches: queries.length,
    queries,
    model: modelVersion ?? null,
    tokens:
      usage?.promptTokenCount === undefined
        ? null
        : {
            input: usage.promptTokenCount,
            cached: usage.cachedContentTokenCount ?? 0,
            output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
          },
    responseId: responseId ?? null,
    answeredAt: parseEngineMoment(createTime),
  };
}

function textOf(first: z.infer<typeof candidate> | undefined): string {
  const parts = first?.content?.parts ?? [];
  return parts.map((each) => (each.thought === true ? '' : each.text)).join('');
}

const refusals = new Set([
  'SAFETY',
  'PROHIBITED_CONTENT',
  'BLOCKLIST',
  'SPII',
  'RECITATION',
  'MODEL_ARMOR',
]);
const failures = new Set([
  'OTHER',
  'LANGUAGE',
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
]);

function faultOf(reason: string | undefined): EngineFault | undefined {
  if (reason === 'MAX_TOKENS') return { kind: 'truncated', code: reason };
  return failures.has(reason ?? '') ? { kind: 'failed', code: reason } : undefined;
}

/** The address is a Google redirect, and the title is the domain that it leads to. */
function toPage({ web, maps }: z.infer<typeof chunks>[number]): WebPage | undefined {
  const page = web ?? maps;
  if (page?.uri === undefined) return undefined;
  return { url: page.uri, title: page.domain ?? page.title };
}

type Support = NonNullable<
  z.infer<typeof candidate>['groundingMetadata']
>['groundingSupports'][number];

/** Google leaves out `startIndex` if it is 0. */
function byPlace({ segment: left }: Support, { segment: right }: Support): number {
  return (
    (left?.partIndex ?? 0) - (right?.partIndex ?? 0) ||
    (left?.startIndex ?? 0) - (right?.startIndex ?? 0)
  );
}
