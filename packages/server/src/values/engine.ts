import { isLocalModel, nearest } from '@overheard/contract';

/** Well-known engines with their usual names. An app and its API are different engines. */
const names: ReadonlyMap<string, string> = new Map([
  ['chatgpt', 'ChatGPT'],
  ['perplexity', 'Perplexity'],
  ['gemini', 'Gemini'],
  ['claude', 'Claude'],
  ['copilot', 'Copilot'],
  ['google_ai_overview', 'Google AI Overview'],
  ['google_ai_mode', 'Google AI Mode'],
  ['grok', 'Grok'],
  ['mistral', 'Mistral'],
  ['chatgpt_api', 'ChatGPT API'],
  ['perplexity_api', 'Perplexity API'],
  ['gemini_api', 'Gemini API'],
  ['claude_api', 'Claude API'],
  ['grok_api', 'Grok API'],
  ['mistral_api', 'Mistral API'],
  ['deepseek_api', 'DeepSeek API'],
  ['groq_api', 'Groq API'],
  ['ollama_local_api', 'Ollama'],
  ['lm_studio_local_api', 'LM Studio'],
  ['llama_cpp_local_api', 'llama.cpp'],
  ['vllm_local_api', 'vLLM'],
]);

export const knownEngines: readonly string[] = [...names.keys()];

/** The name people know an engine by, marked if it is a local model; the slug of an unknown engine. */
export function engineName(slug: string): string {
  const name = names.get(slug) ?? slug;
  return isLocalModel(slug) ? `${name} (local model: not what people see)` : name;
}

const engineWord = /("[^"]*")|(?<![\w./-])[a-z_]+(?![\w/-]|\.\w)/g;

/**
 * Replaces slugs of engines with their names in a sentence, except in quoted prompts and in
 * addresses.
 */
export function withEngineNames(sentence: string): string {
  return sentence.replace(engineWord, (word, quoted?: string) => quoted ?? engineName(word));
}

/** The known engine that a slug is most likely a misspelling of, if there is one. */
export function misspeltEngine(slug: string, slugs: Iterable<string>): string | undefined {
  // `gpt5` is not `gpt4`: a short slug that differs in two letters is another engine.
  return nearest(slug, slugs, slug.length < 8 ? 1 : 2);
}
