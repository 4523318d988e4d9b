import { isLocalModel } from '@overheard/contract';
import { expect, test } from 'vitest';
import { engineName, knownEngines, misspeltEngine, withEngineNames } from './engine.ts';

test.each([
  ['chatgtp', 'chatgpt'],
  ['chat-gpt', 'chatgpt'],
  ['chat_gtp', 'chatgpt'],
  ['chatgpt-api', 'chatgpt_api'],
  ['gork', 'grok'],
  ['perplexty', 'perplexity'],
  ['googleaioverview', 'google_ai_overview'],
  ['google_ai_overviews', 'google_ai_overview'],
])('%s is taken for a misspelling of %s', (slug, meant) => {
  expect(misspeltEngine(slug, knownEngines)).toBe(meant);
});

test.each(['kagi', 'meta_ai', 'openai', 'phind', 'you', 'duckduckgo', 'chatgpt_4o', 'brave'])(
  '%s is taken for another engine than the known ones',
  (slug) => {
    expect(misspeltEngine(slug, knownEngines)).toBeUndefined();
  },
);

test('an engine has the name that people know, the API of one says so, and an unknown slug stays', () => {
  expect(engineName('google_ai_overview')).toBe('Google AI Overview');
  expect(engineName('demo_api')).toBe('demo_api');
  for (const slug of knownEngines.filter((each) => !isLocalModel(each))) {
    expect([slug, engineName(slug).endsWith(' API')]).toEqual([slug, slug.endsWith('_api')]);
  }
});

test('a sentence gets the names of engines, but not in a prompt that it quotes and not in an address', () => {
  expect(
    withEngineNames(
      'Get cited for "Is claude good?": gemini 0 of 4; claude.example/gemini (2), claude.',
    ),
  ).toBe('Get cited for "Is claude good?": Gemini 0 of 4; claude.example/gemini (2), Claude.');
});
