import { expect, test } from 'vitest';
import { engineOf } from './engines.ts';

test.each([
  ['https://chatgpt.com/', 'chatgpt'],
  ['https://l.meta.ai/?u=x', 'meta_ai'],
  ['https://labs.perplexity.ai/', 'perplexity'],
  ['https://notebooklm.google.com/notebook/1', 'notebooklm'],
  ['https://aistudio.google.com/', 'gemini'],
  ['https://m365copilot.com/', 'copilot'],
  ['https://www.office.com/chat?auth=2', 'copilot'],
  ['https://lechat.mistral.ai/', 'mistral'],
  ['https://claude.com/', 'claude'],
  ['https://www.deepseek.com/', 'deepseek'],
  ['https://www.kimi.com/', 'kimi'],
  ['https://chat.qwen.ai/c/1', 'qwen'],
  ['https://www.doubao.com/chat/', 'doubao'],
  ['https://yuanbao.tencent.com/', 'yuanbao'],
  ['https://www.phind.com/', 'phind'],
  ['https://www.genspark.ai/', 'genspark'],
  ['https://felo.ai/', 'felo'],
  ['https://iask.ai/', 'iask'],
  ['https://app.liner.com/', 'liner'],
  ['https://andisearch.com/', 'andi'],
  ['https://pi.ai/talk', 'pi'],
  ['https://kagi.com/assistant', 'kagi'],
  ['https://search.brave.com/', 'brave'],
  ['https://huggingface.co/chat/', 'huggingchat'],
  ['https://manus.im/app', 'manus'],
  ['https://www.office.com/', undefined],
  ['https://www.office.com/chats', undefined],
  ['https://huggingface.co/models', undefined],
  ['https://brave.com/', undefined],
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
