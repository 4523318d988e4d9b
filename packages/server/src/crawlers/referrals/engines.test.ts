import { expect, test } from 'vitest';
import { engineOf } from './engines.ts';

test.each([
  ['https://chatgpt.com/', 'chatgpt'],
  ['https://chat.openai.com/c/1', 'chatgpt'],
  ['https://gemini.google.com/', 'gemini'],
  ['HTTPS://Copilot.Microsoft.com:443/', 'copilot'],
  ['https://l.meta.ai/?u=x', 'meta_ai'],
  ['https://labs.perplexity.ai/', 'perplexity'],
  ['https://notebooklm.google.com/notebook/1', 'notebooklm'],
  ['https://aistudio.google.com/', 'gemini'],
  ['https://m365copilot.com/', 'copilot'],
  ['https://www.office.com/chat?auth=2', 'copilot'],
  ['https://lechat.mistral.ai/', 'mistral'],
  ['https://claude.com/', 'claude'],
  ['https://www.deepseek.com/', 'deepseek'],
  ['https://chat.qwen.ai/c/1', 'qwen'],
  ['https://www.doubao.com/chat/', 'doubao'],
  ['https://yuanbao.tencent.com/', 'yuanbao'],
  ['https://www.genspark.ai/', 'genspark'],
  ['https://andisearch.com/', 'andi'],
  ['https://search.brave.com/', 'brave'],
  ['https://huggingface.co/chat/', 'huggingchat'],
  ['https://www.office.com/', undefined],
  ['https://huggingface.co/models', undefined],
  ['https://notclaude.com/', undefined],
  ['https://google.com/?q=claude.com', undefined],
])('a visitor from %s is one of %s', (referer, engine) => {
  expect(engineOf(referer, '/')).toBe(engine);
});

test('a bare word as `utm_source` counts only if the product documents it', () => {
  expect(engineOf(null, '/?utm_source=chatgpt.com')).toBe('chatgpt');
  expect(engineOf(null, '/?utm_source=openai')).toBe('chatgpt_api');
  for (const word of ['chatgpt', 'perplexity', 'gemini', 'copilot', 'claude', 'grok']) {
    expect(engineOf(null, `/?utm_source=${word}`)).toBeUndefined();
  }
});
