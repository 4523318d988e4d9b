import { nearest } from '@overheard/contract';

/** Engines that need no introduction. An app and its API are different engines. */
export const knownEngines: readonly string[] = [
  'chatgpt',
  'perplexity',
  'gemini',
  'claude',
  'copilot',
  'google_ai_overview',
  'google_ai_mode',
  'grok',
  'mistral',
  'chatgpt_api',
  'perplexity_api',
  'gemini_api',
  'claude_api',
  'grok_api',
  'mistral_api',
  'deepseek_api',
  'groq_api',
];

/** The known engine that a slug is most likely a misspelling of, if there is one. */
export function misspeltEngine(slug: string, known: Iterable<string>): string | undefined {
  // `gpt5` is not `gpt4`: a short slug that differs in two letters is another engine.
  return nearest(slug, known, slug.length < 8 ? 1 : 2);
}
