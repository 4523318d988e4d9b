import { expect, test } from 'vitest';
import { knownEngines, misspeltEngine } from './engine.ts';

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
