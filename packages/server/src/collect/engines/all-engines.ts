import { chatgptApi } from './chatgpt-api.ts';
import { claudeApi } from './claude-api.ts';
import { deepseekApi } from './deepseek-api.ts';
import type { Engine } from './engine.ts';
import { geminiApi } from './gemini-api.ts';
import { grokApi } from './grok-api.ts';
import { mistralApi } from './mistral-api.ts';
import { openaiCompatible } from './openai-compatible.ts';
import { perplexityApi } from './perplexity-api.ts';

/** The engines that can be asked. */
export const engines: readonly Engine[] = [
  chatgptApi,
  claudeApi,
  perplexityApi,
  geminiApi,
  grokApi,
  mistralApi,
  deepseekApi,
  openaiCompatible,
];
