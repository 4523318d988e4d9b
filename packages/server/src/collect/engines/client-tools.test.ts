import { expect, test } from 'vitest';
import { answerText, engineResponses } from '../../../test/engines/engine-responses.ts';
import { engineNamed } from '../../../test/engines/engine-named.ts';
import { convertRaw } from '../raw/convert-raw.ts';
import { rawFormats } from '../raw/raw-formats.ts';
import type { EngineAnswer } from './engine.ts';

const { openai_compatible: chat, claude_api: claude, chatgpt_api: openai } = engineResponses;
const { mistral_api: mistral, gemini_api: gemini } = engineResponses;

function read(name: string, value: unknown): EngineAnswer {
  return engineNamed(name).read(200, {}, JSON.stringify(value));
}

const call = { type: 'function', id: 'c', function: { name: 'look_up', arguments: '{}' } };
const [choice] = chat.choices;
const [candidate] = gemini.candidates;

function chatWith(message: object, reason: string): object {
  return { ...chat, choices: [{ ...choice, message, finish_reason: reason }] };
}

const says = { role: 'assistant', content: 'I will look it up in Acme.' };
const text = { type: 'text', text: says.content };

test.each([
  [
    'claude_api',
    'tool_use',
    { ...claude, content: [text, { type: 'tool_use', id: 't', name: 'look_up', input: {} }] },
  ],
  ['openai_compatible', 'tool_calls', chatWith({ ...says, tool_calls: [call] }, 'tool_calls')],
  ['grok_api', 'function_call', chatWith(says, 'function_call')],
  [
    'mistral_api',
    'function_call',
    {
      ...mistral,
      outputs: [
        { type: 'message.output', content: says.content },
        { type: 'function.call', name: 'look_up', arguments: '{}' },
      ],
    },
  ],
  [
    'chatgpt_api',
    'function_call',
    {
      ...openai,
      output: [
        { type: 'message', content: [{ type: 'output_text', text: says.content }] },
        { type: 'function_call', name: 'look_up', arguments: '{}' },
      ],
    },
  ],
  [
    'gemini_api',
    'function_call',
    {
      ...gemini,
      candidates: [
        {
          ...candidate,
          content: { parts: [{ text: says.content }, { functionCall: { name: 'look_up' } }] },
        },
      ],
    },
  ],
])(
  'text of %s before a call of a client’s tool is a failure, not an answer: %s',
  (name, code, value) => {
    expect(read(name, value)).toMatchObject({ outcome: 'failed', fault: { kind: 'failed', code } });
  },
);

test('an empty list of tool calls leaves an answer as it is', () => {
  const message = { ...says, tool_calls: [], function_call: null };
  expect(read('openai_compatible', chatWith(message, 'stop')).outcome).toBe('answered');
});

test.each(['mcp_tool_result', 'tool_search_tool_result', 'advisor_tool_result'])(
  'text of Claude before a %s only announces the next step',
  (type) => {
    const content = [{ type: 'text', text: 'I look at Initech.' }, { type }, text];
    expect(read('claude_api', { ...claude, content }).text).toBe(says.content);
  },
);

test('a search result that Claude cites is a source by its address', () => {
  const citations = [
    { type: 'search_result_location', source: 'https://acme.com/a', title: 'A', cited_text: 'x' },
    { type: 'search_result_location', source: 'notes/7', title: 'Notes' },
  ];
  const { sources } = read('claude_api', { ...claude, content: [{ ...text, citations }] });
  expect(sources).toEqual([{ url: 'https://acme.com/a', title: 'A' }]);
});

test('a result of an xAI batch is read as the chat completion in it, and its error as a failure', () => {
  const format = rawFormats.find(({ name }) => name === 'grok');
  if (format === undefined) throw new Error('There is no format grok');
  const convert = convertRaw(format, { prompt: 'Which CRM?', runAt: '2026-11-18T06:00:00Z' });
  const rowsOf = (value: Record<string, unknown>) =>
    convert(value, (field, expected) => {
      throw new Error(`${field}: ${expected}`);
    });
  const response = { chat_get_completion: { ...chat, model: 'grok-4.3' } };
  expect(rowsOf({ batch_request_id: 'r1', batch_result: { response } })).toMatchObject([
    { engine: 'grok_api', model: 'grok-4.3', outcome: 'answered', answer: answerText },
  ]);
  const error = { code: 3, message: 'boom' };
  const failed = [{ engine: 'grok_api', outcome: 'failed' }];
  expect(rowsOf({ batch_request_id: 'r2', batch_result: { error } })).toMatchObject(failed);
  expect(rowsOf({ batch_request_id: 'r3', error })).toMatchObject(failed);
});
