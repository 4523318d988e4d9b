import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { answerText, citedPages, engineResponses } from '../../../test/engines/engine-responses.ts';
import { engineNamed } from '../../../test/engines/engine-named.ts';
import { engines } from './all-engines.ts';
import { bound, costOf } from './cost.ts';
import type { EngineAnswer } from './engine.ts';
import { endingOf } from '../ledger/ending.ts';
import { withPrices } from './prices.ts';

function read(name: string, value: unknown, status = 200): EngineAnswer {
  return engineNamed(name).read(status, {}, JSON.stringify(value));
}

const shapes = Object.entries(engineResponses);

test('every engine has a response of its documented shape to be tested with', () => {
  const tested = new Set(shapes.map(([name]) => engineNamed(name).slug));
  expect(engines.filter(({ slug }) => !tested.has(slug))).toEqual([]);
});

describe.each(shapes)('a response of %s', (name, response) => {
  test('a response has its final message as the answer, and the cited pages in order, each once: %s', () => {
    const answer = read(name, response);
    expect(answer).toMatchObject({ outcome: 'answered', text: answerText, searches: 1 });
    expect(answer.sources).toEqual(citedPages);
    expect(answer.tokens?.output).toBeGreaterThan(0);
    expect(answer.fault).toBe(undefined);
  });

  test('a response keeps its answer whatever unknown item, annotation or field is added to it', () => {
    const before = read(name, response);
    const places = placesOf(response);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.nat(), unknownValue, (place, at, value) => {
        const after = read(name, inserted(response, place, { at, value }));
        expect(after).toMatchObject({ outcome: 'answered', model: before.model });
        expect(after.text).toContain(answerText);
        // Google's parts have no types: one that has text is a part of the answer.
        expect(after.text === answerText || name === 'gemini_api').toBe(true);
        // Sources are numbered by their place in these lists, so an inserted entry takes a number.
        const isNumbered = /groundingChunk|citations|search_results/.test(place.join());
        expect(isNumbered || isDeepStrictEqual(after.sources, before.sources)).toBe(true);
      }),
      { numRuns: cases(120) },
    );
  });

  test('a response that is cut anywhere, or is other JSON, is a failure and never an exception', () => {
    const text = JSON.stringify(response);
    fc.assert(
      fc.property(fc.nat(text.length - 1), (length) => {
        expect(engineNamed(name).read(200, {}, text.slice(0, length))).toMatchObject({
          outcome: 'failed',
          fault: { kind: 'unreadable' },
        });
      }),
      { numRuns: cases(50) },
    );
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(['failed', 'empty']).toContain(engineNamed(name).read(200, {}, json).outcome);
      }),
    );
  });

  test('a response with an error status or an error body is a failure', () => {
    expect(read(name, response, 500)).toMatchObject({
      outcome: 'failed',
      fault: { kind: 'unclear' },
    });
    expect(read(name, { error: { message: 'No.', code: 'overloaded' } })).toMatchObject({
      outcome: 'failed',
      fault: { kind: 'failed', code: 'overloaded' },
    });
  });
});

/** The paths of all objects and lists in a value. */
function placesOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, each]) => placesOf(each, [...path, name]));
  return [[...path], ...inner];
}

const unknownValue = fc.oneof(
  fc.constantFrom(null, 7, true, 'new', [], {}),
  fc.record({ type: fc.constant('x_new'), text: fc.string(), content: fc.jsonValue() }),
  fc.record({ type: fc.constant('x_new'), url: fc.constant(null), id: fc.string() }),
);

function inserted(
  value: unknown,
  [name, ...rest]: readonly string[],
  added: { at: number; value: unknown },
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = [...value];
    if (name === undefined) return list.toSpliced(added.at % (list.length + 1), 0, added.value);
    return list.map((each, place) => (String(place) === name ? inserted(each, rest, added) : each));
  }
  if (name === undefined) return { ...value, x_new: added.value };
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === name ? inserted(each, rest, added) : each,
    ]),
  );
}

const { chatgpt_api: openai, claude_api: claude, gemini_api: gemini } = engineResponses;
const { openai_compatible: chat, mistral_api: mistral, perplexity_api: agent } = engineResponses;
const interaction = engineResponses['gemini_api, Interactions'];
const message = { type: 'message', role: 'assistant' };

describe('a response with status 200', () => {
  test.each<[string, string, object]>([
    ['chatgpt_api', 'failed', { ...openai, status: 'failed', error: { code: 'server_error' } }],
    ['chatgpt_api', 'cancelled', { ...openai, status: 'cancelled' }],
    ['perplexity_api', 'failed', { ...agent, status: 'failed' }],
    ['grok_api', 'with an error beside its output', { ...openai, error: { code: 'x' } }],
    ['openai_compatible', 'ended by an error', withChoice({ finish_reason: 'error' })],
    ['openai_compatible', 'with an error in its choice', withChoice({ error: { code: 502 } })],
    ['gemini_api', 'ended for another reason', withCandidate({ finishReason: 'OTHER' })],
    ['gemini_api', 'failed', { ...interaction, status: 'failed' }],
    ['claude_api', 'paused', { ...claude, stop_reason: 'pause_turn' }],
  ])('a response of %s with status 200 is a failure if it is %s', (name, _, response) => {
    expect(read(name, response)).toMatchObject({ outcome: 'failed' });
  });

  test.each<[string, object]>([
    [
      'chatgpt_api',
      { ...openai, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    ],
    ['perplexity_api', { ...agent, status: 'incomplete' }],
    ['claude_api', { ...claude, stop_reason: 'max_tokens' }],
    ['claude_api', { ...claude, stop_reason: 'model_context_window_exceeded' }],
    ['gemini_api', withCandidate({ finishReason: 'MAX_TOKENS' })],
    ['gemini_api', { ...interaction, status: 'incomplete' }],
    ['openai_compatible', withChoice({ finish_reason: 'length' })],
  ])(
    'a response of %s that was cut off at its limit is a failure, not a miss',
    (name, response) => {
      expect(read(name, response)).toMatchObject({
        outcome: 'failed',
        text: answerText,
        fault: { kind: 'truncated' },
      });
    },
  );

  test.each<[string, object]>([
    [
      'chatgpt_api',
      { ...openai, output: [{ ...message, content: [{ type: 'refusal', refusal: 'I cannot.' }] }] },
    ],
    [
      'chatgpt_api',
      { ...openai, status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
    ],
    ['claude_api', { ...claude, content: [], stop_reason: 'refusal' }],
    ['gemini_api', { promptFeedback: { blockReason: 'SAFETY' } }],
    ['gemini_api', { candidates: [{ content: {}, finishReason: 'PROHIBITED_CONTENT' }] }],
    ['gemini_api', { candidates: [{ content: {}, finishReason: 'MODEL_ARMOR' }] }],
    ['openai_compatible', withChoice({ finish_reason: 'content_filter' })],
    ['openai_compatible', withChoice({ message: { content: null, refusal: 'I cannot.' } })],
  ])('a response of %s in which the model refuses is a refusal', (name, response) => {
    const { outcome, fault } = read(name, response);
    expect({ outcome, fault }).toEqual({ outcome: 'refused', fault: undefined });
  });

  test.each<[string, object]>([
    ['chatgpt_api', { ...openai, output: [] }],
    ['claude_api', { ...claude, content: [] }],
    ['gemini_api', { usageMetadata: { promptTokenCount: 5 }, modelVersion: 'gemini-3.5-flash' }],
    ['openai_compatible', withChoice({ message: { content: '' } })],
    ['mistral_api', { ...mistral, outputs: [] }],
  ])('a response with status 200 of %s without text is empty', (name, response) => {
    expect(read(name, response)).toMatchObject({ outcome: 'empty', text: '' });
  });
});

test('an answer without a search says that none was made', () => {
  expect(read('chatgpt_api', { ...openai, output: openai.output.slice(-1) })).toMatchObject({
    outcome: 'answered',
    searches: 0,
  });
});

test('the cost is what the engine reports, or else its use times the dated price', () => {
  const grok = read('grok_api', engineResponses.grok_api);
  expect(costOf(engineNamed('grok_api'), grok)).toEqual({ usd: 0.01615085, basis: 'reported' });
  // 9,000 tokens in, of them 1,000 cached, 120 out, and one search at 10 USD per 1,000.
  const chatgpt = read('chatgpt_api', openai);
  expect(costOf(engineNamed('chatgpt_api'), chatgpt)).toEqual({ usd: 0.01087, basis: 'computed' });
  // A dated snapshot costs what its model costs; a model without a price has no cost.
  const sonnet = read('claude_api', claude);
  expect(costOf(engineNamed('claude_api'), sonnet)).toEqual({ usd: 0.0196, basis: 'computed' });
  expect(costOf(engineNamed('chatgpt_api'), { ...chatgpt, model: 'gpt-9' })).toBe(undefined);
  // The price of a DeepSeek search is unknown.
  expect(
    costOf(engineNamed('deepseek_api'), read('deepseek_api', engineResponses.deepseek_api)),
  ).toBe(undefined);
});

test.each([
  ['chatgpt_api', 'gpt-5.6-luna', '2026-07-29', 1, 6],
  ['chatgpt_api', 'gpt-5.6-luna', '2026-07-30', 0.2, 1.2],
  ['gemini_api', 'gemini-3.8-flash', '2026-12-31', 0.75, 3.75],
  ['gemini_api', 'gemini-3.8-flash', '2027-01-01', 1.5, 7.5],
  // Dearer by day than by night: the day's price.
  ['deepseek_api', 'deepseek-v4-flash', '2026-11-20', 0.44, 1.32],
])('%s charges for %s on %s: %d in, %d out', (slug, model, day, input, output) => {
  const nowMs = Date.parse(`${day}T12:00:00Z`);
  const { prices } = withPrices(engineNamed(slug), slug, { rows: [], nowMs });
  const price = prices.find((each) => each.model === model);
  expect(price).toMatchObject({ input, output, checked: '2026-09-23' });
});

test('a reported cost is booked with what the price list says', () => {
  const answer = read('grok_api', engineResponses.grok_api);
  const engine = { adapter: engineNamed('grok_api'), boundMicros: 50_000 };
  const listed = costOf(engine.adapter, { ...answer, reportedUsd: null });
  expect(endingOf(engine, { answer, exchanges: [] })).toMatchObject({
    settlement: {
      costMicros: 16_151,
      facts: { cost_basis: 'reported', listed_micros: Math.ceil((listed?.usd ?? 0) * 1e6) },
    },
  });
});

test('the bound of a reading is its searches, its longest answer and much that is read', () => {
  const target = {
    baseUrl: 'https://example.com',
    hasSearch: true,
    requiresSearch: false,
    searchesMax: 3,
  };
  const caps = { ...target, outputTokensMax: 8000 };
  const { chatgpt, claude: haiku } = {
    chatgpt: engineNamed('chatgpt_api'),
    claude: engineNamed('claude_api'),
  };
  expect(bound(chatgpt, { ...caps, model: 'gpt-6-luna' })).toBe(0.04);
  expect(bound(haiku, { ...caps, model: 'claude-haiku-4-5-20251001' })).toBe(0.13);
  expect(bound(haiku, { ...caps, model: 'claude-haiku-4-5', hasSearch: false })).toBe(0.1);
  // 1,000 bytes, read at first and after each of the searches.
  const withPrompt = bound(chatgpt, { ...caps, model: 'gpt-6-luna' }, 'é'.repeat(500));
  expect(withPrompt).toBeCloseTo(0.04 + (1000 * (1 + caps.searchesMax) * 0.1) / 1e6, 10);
  expect(bound(chatgpt, { ...caps, model: 'gpt-9' })).toBe(undefined);
  const deepseek = { ...caps, model: 'deepseek-v4-flash' };
  expect(bound(engineNamed('deepseek_api'), deepseek)).toBe(undefined);
  expect(bound(engineNamed('deepseek_api'), { ...deepseek, hasSearch: false })).toBeGreaterThan(0);
});

test('text that no database can store is stored with marks in its place', () => {
  const response = withChoice({ message: { content: 'Acme\0 and \ud800Globex' } });
  expect(read('openai_compatible', response).text).toBe('Acme\u{fffd} and \u{fffd}Globex');
});

test('OpenRouter is sent its own search tool with its limit', () => {
  const { body } = engineNamed('openai_compatible').request(
    { text: 'Which CRM?', locale: 'en-US' },
    {
      baseUrl: 'https://openrouter.ai/api/v1',
      model: 'openai/gpt-5.2',
      hasSearch: true,
      requiresSearch: false,
      searchesMax: 2,
      outputTokensMax: 500,
    },
  );
  expect(body['tools']).toEqual([{ type: 'openrouter:web_search', parameters: { max_uses: 2 } }]);
});

function withChoice(change: object): object {
  return { ...chat, choices: [{ ...chat.choices[0], ...change }] };
}

function withCandidate(change: object): object {
  return { ...gemini, candidates: [{ ...gemini.candidates[0], ...change }] };
}
