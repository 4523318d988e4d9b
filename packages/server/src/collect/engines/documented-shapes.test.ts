import { expect, test } from 'vitest';
import { answerText, engineResponses } from '../../../test/engines/engine-responses.ts';
import { engineNamed } from '../../../test/engines/engine-named.ts';
import { queriesOf, searchedOf } from './answer.ts';
import type { EngineAnswer } from './engine.ts';

const { openai_compatible: chat, perplexity_api: agent } = engineResponses;
const { gemini_api: gemini, chatgpt_api: openai, claude_api: claude } = engineResponses;

function read(name: string, value: unknown): EngineAnswer {
  return engineNamed(name).read(200, {}, JSON.stringify(value));
}

function withChoice(change: object): object {
  return { ...chat, choices: [{ ...chat.choices[0], ...change }] };
}

test.each([
  ['<think>\nInitech?\n</think>\n\nAcme.', 'Acme.'],
  ['Initech?\n</think>\n\nAcme.', 'Acme.'],
  ['Acme writes <think> and </think>.', 'Acme writes <think> and </think>.'],
])(
  'the thoughts that a model writes before its answer are no part of it: %j',
  (content, answer) => {
    expect(read('openai_compatible', withChoice({ message: { content } })).text).toBe(answer);
  },
);

test('the cost with an own key at OpenRouter is its fee and the vendor’s bill', () => {
  const details = { cost_details: { upstream_inference_cost: 0.02 } };
  const usdOf = (usage: object): number | null =>
    read('openai_compatible', { ...chat, usage: { ...details, ...usage } }).reportedUsd;
  expect(usdOf({ cost: 0.001, is_byok: true })).toBeCloseTo(0.021);
  expect(usdOf({ cost: 0.03, is_byok: false })).toBe(0.03);
});

test.each(['grok_api', 'deepseek_api', 'mistral_api'])(
  'a chat completion of %s is read as well, and fails if it was cut off',
  (name) => {
    expect(read(name, chat)).toMatchObject({ outcome: 'answered', text: answerText });
    expect(read(name, withChoice({ finish_reason: 'length' }))).toMatchObject({
      outcome: 'failed',
    });
  },
);

test('the first form of Google’s Interactions, one list of outputs, is read as the later one', () => {
  const response = {
    id: 'v1_a',
    status: 'completed',
    model: 'gemini-3.5-flash',
    outputs: [
      { type: 'thought', signature: 'x', summary: [{ type: 'text', text: 'Initech?' }] },
      { type: 'google_search_call', id: 'a', arguments: { queries: ['crm', 'best crm'] } },
      {
        type: 'google_search_result',
        call_id: 'a',
        result: [{ url: 'https://read.example/', title: 'read.example' }],
      },
      { type: 'text', text: 'Acme ' },
      {
        type: 'text',
        text: 'is good.',
        annotations: [{ start_index: 0, end_index: 8, source: 'https://acme.com/' }],
      },
    ],
    usage: { total_input_tokens: 9, total_output_tokens: 5 },
  };
  expect(read('gemini_api', response)).toMatchObject({
    outcome: 'answered',
    text: 'Acme is good.',
    sources: [{ url: 'https://acme.com/' }],
    retrieved: [{ url: 'https://read.example/', title: 'read.example' }],
    searches: 2,
    queries: ['crm', 'best crm'],
    model: 'gemini-3.5-flash',
    tokens: { input: 9, output: 5 },
  });
});

test('an engine that never names its queries is unknown, whether or not it counts its searches', () => {
  const ofChat = (searches: number) => {
    const usage = { num_search_queries: searches };
    return queriesOf(read('openai_compatible', { ...chat, usage }));
  };
  expect([ofChat(0), ofChat(3)]).toEqual([null, null]);
  expect(queriesOf({ searches: 0, queries: [] })).toEqual([]);
  expect(queriesOf({ searches: 3, queries: [] })).toBeNull();
});

test('a message of Claude without a use of the search did not search, and one without content does not say', () => {
  const searched = (content: readonly object[]) =>
    searchedOf(read('claude_api', { type: 'message', content, stop_reason: 'end_turn' }));
  expect(searched([{ type: 'text', text: 'Acme.' }])).toBe(false);
  expect(searched([])).toBeNull();
});

/** A message of the Responses format. */
function message(text: string, more: object = {}, annotations: readonly object[] = []): object {
  return { type: 'message', content: [{ type: 'output_text', text, annotations }], ...more };
}

test('the final answer counts among several messages, whatever follows it, or else the last message', () => {
  const textOf = (...output: object[]): string => read('chatgpt_api', { ...openai, output }).text;
  const final = message('Acme.', { phase: 'final_answer' });
  expect(textOf(message('I look.', { phase: 'commentary' }), final, message('Bye.'))).toBe('Acme.');
  expect(textOf(message('First.'), message('Acme.'))).toBe('Acme.');
  expect(textOf(message('I look.', { phase: 'commentary' }))).toBe('');
});

test('a message that the engine marks incomplete counts as cut off, not as an unread shape', () => {
  const output = [message('Acme is', { status: 'incomplete' })];
  expect(read('chatgpt_api', { ...openai, output })).toMatchObject({
    outcome: 'failed',
    fault: { kind: 'truncated' },
  });
});

test.each(['requires_action', 'cancelling', 'queued'])(
  'a response of the Agent API with status %s is a failure, and not an empty answer',
  (status) => {
    expect(read('perplexity_api', { ...agent, output: [], status })).toMatchObject({
      outcome: 'failed',
      fault: { kind: 'failed', code: status },
    });
  },
);

test('pages that Perplexity opened are retrieved, and numbers without a result cite nothing', () => {
  const opened = {
    type: 'fetch_url_results',
    contents: [{ url: 'https://opened.example/', title: 'Opened', snippet: '' }],
  };
  const output = [agent.output[0], opened, message('Acme[2][9][0].')];
  const { sources, retrieved } = read('perplexity_api', { ...agent, output });
  expect(sources.map(({ url }) => url)).toEqual(['https://globex.com/']);
  expect(retrieved.map(({ url }) => url)).toContain('https://opened.example/');
});

test('only annotations that cite are sources: not files, and not a new kind that has an address', () => {
  const annotations = [
    { type: 'file_citation', file_id: 'f', filename: 'a.pdf', index: 1 },
    { type: 'image', url: 'https://picture.example/' },
    { type: 'url_citation', url: 'https://acme.com/', start_index: 9999, end_index: 10_000 },
    { type: 'url_citation', url: 'https://acme.com/', start_index: 0, end_index: 4 },
  ];
  const output = [message('Acme.', {}, annotations)];
  expect(read('chatgpt_api', { ...openai, output }).sources).toEqual([
    { url: 'https://acme.com/' },
  ]);
  const said = { message: { content: 'Acme.', annotations } };
  expect(read('openai_compatible', withChoice(said)).sources).toEqual([
    { url: 'https://acme.com/' },
  ]);
});

test('a citation of an unknown kind in a response of Claude is not counted as a source', () => {
  const citations = [
    { type: 'preview', url: 'https://picture.example/' },
    { type: 'web_search_result_location', url: 'https://acme.com/' },
    { url: 'https://globex.com/' },
  ];
  const content = [{ type: 'text', text: 'Acme.', citations }];
  const { sources } = read('claude_api', { ...claude, content });
  expect(sources.map(({ url }) => url)).toEqual(['https://acme.com/', 'https://globex.com/']);
});

test('a completion whose `object` is a number keeps its answer', () => {
  expect(read('openai_compatible', { ...chat, object: 7 }).text).toBe(answerText);
});

test('parts of a text are joined without a space, and cited by part first, then by place', () => {
  const grounding = {
    groundingChunks: ['a', 'b'].map((name) => ({
      web: {
        uri: `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${name}`,
        title: `${name}.example`,
      },
    })),
    groundingSupports: [
      { segment: { partIndex: 2, endIndex: 4 }, groundingChunkIndices: [0, 7, 0] },
      { segment: { partIndex: 1, startIndex: 14, endIndex: 18 }, groundingChunkIndices: [1] },
    ],
  };
  const parts = [{ text: 'Initech?', thought: true }, { text: 'Grüße 😀 ' }, { text: 'Acme' }];
  const [first] = gemini.candidates;
  const candidate = { ...first, content: { parts }, groundingMetadata: grounding };
  const { text, sources } = read('gemini_api', { ...gemini, candidates: [candidate] });
  expect(text).toBe('Grüße 😀 Acme');
  expect(sources.map(({ title }) => title)).toEqual(['b.example', 'a.example']);
});

test('the time of Vertex AI’s answer is that of its run', () => {
  const { answeredAt } = read('gemini_api', {
    ...gemini,
    createTime: '2026-11-20T10:00:00.123456Z',
  });
  expect(answeredAt).toBe('2026-11-20T10:00:00.123Z');
});

test('a completion with an error beside its choices is a failure, and a part of a stream is none', () => {
  expect(read('openai_compatible', { ...chat, error: { code: 502, message: 'x' } })).toMatchObject({
    outcome: 'failed',
    fault: { kind: 'failed', code: '502' },
  });
  const chunk = { object: 'chat.completion.chunk', choices: [{ delta: { content: 'Ac' } }] };
  expect(read('openai_compatible', chunk).fault).toEqual({ kind: 'unreadable' });
});

test.each([
  ['model_length', 'truncated'],
  ['insufficient_system_resource', 'failed'],
  ['abort', 'failed'],
])('a completion that ended by %s is %s', (reason, kind) => {
  const { outcome, fault } = read('openai_compatible', withChoice({ finish_reason: reason }));
  expect({ outcome, kind: fault?.kind }).toEqual({ outcome: 'failed', kind });
});

test('the text after the last search counts, also after a failed search or a narration in between', () => {
  const result = (content: unknown): object => ({ type: 'web_search_tool_result', content });
  const failed = result({ type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' });
  const content = [
    { type: 'text', text: 'I search for Initech.' },
    result([{ type: 'web_search_result', url: 'https://read.example/', title: 'Read' }]),
    { type: 'text', text: 'Initech has no page.' },
    failed,
    { type: 'thinking', thinking: 'Initech?', signature: 'x' },
    { type: 'text', text: 'Acme', citations: null },
    { type: 'text', text: '.', citations: [{ type: 'char_location', document_title: 'D' }] },
  ];
  expect(read('claude_api', { ...engineResponses.claude_api, content })).toMatchObject({
    outcome: 'answered',
    text: 'Acme.',
    sources: [],
    retrieved: [{ url: 'https://read.example/' }],
  });
});
