import { expect, test } from 'vitest';
import { answerText, engineResponses } from '../../../test/engine-responses.ts';
import { engines } from './all-engines.ts';
import type { EngineAnswer } from './engine.ts';

const { openai_compatible: chat } = engineResponses;

function read(name: string, value: unknown): EngineAnswer {
  const engine = engines.find(({ slug }) => slug === name);
  if (engine === undefined) throw new Error(`There is no engine ${name}`);
  return engine.read(200, {}, JSON.stringify(value));
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

test('with a key of one’s own at OpenRouter, the cost is its fee and what the vendor bills', () => {
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
