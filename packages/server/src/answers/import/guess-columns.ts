import { answerFields } from './parse-answer.ts';
import type { AnswerField } from './parse-answer.ts';

/** Words in the names that other tools give to their columns, the likeliest first. */
const words: Readonly<Partial<Record<AnswerField, readonly string[]>>> = {
  prompt: ['prompt', 'question', 'query', 'keyword'],
  engine: ['engine', 'platform', 'provider', 'assistant', 'llm'],
  run_at: ['run', 'date', 'time', 'created', 'asked', 'ts'],
  answer: ['answer', 'response', 'completion', 'reply', 'output', 'text'],
  sources: ['source', 'citation', 'reference', 'url', 'link'],
  model: ['model'],
  locale: ['locale', 'country', 'region'],
};

/**
 * Guesses which of a file's columns holds which of our fields, from the columns' names. Each column
 * is guessed once at most.
 */
export function guessColumns(names: readonly string[]): Partial<Record<AnswerField, string>> {
  const left = new Set(names);
  const columns: Partial<Record<AnswerField, string>> = {};
  for (const field of answerFields) {
    const own = names.find((name) => name.toLowerCase() === field);
    if (own !== undefined && left.delete(own)) columns[field] = own;
  }
  for (const field of answerFields) {
    const likely = (words[field] ?? [])
      .map((word) => [...left].find((name) => isLike(name.toLowerCase(), word)))
      .find((name) => name !== undefined);
    if (columns[field] !== undefined || likely === undefined) continue;
    columns[field] = likely;
    left.delete(likely);
  }
  return columns;
}

/** Whether a name holds a word. A word of two letters must be the whole name. */
function isLike(name: string, word: string): boolean {
  return word.length > 2 ? name.includes(word) && !/(?:^|[_\s-])id$/.test(name) : name === word;
}
