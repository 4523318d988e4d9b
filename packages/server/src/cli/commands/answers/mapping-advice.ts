import { answerFields } from '../../../answers/import/parse-answer.ts';
import type { AnswerField } from '../../../answers/import/parse-answer.ts';

/** Words in the names that other tools give to their columns, the likeliest first. */
const words: Readonly<Partial<Record<AnswerField, readonly string[]>>> = {
  prompt: ['prompt', 'question', 'query', 'keyword'],
  engine: ['engine', 'platform', 'provider', 'assistant', 'llm'],
  run_at: ['run', 'date', 'time', 'created', 'asked'],
  answer: ['answer', 'response', 'completion', 'reply', 'output', 'text'],
  sources: ['source', 'citation', 'reference', 'url', 'link'],
  model: ['model'],
  locale: ['locale', 'country', 'region'],
};

/**
 * Advice about columns with other names: a mapping file with the columns that their names suggest.
 * It contains only `names` that a mapping can have. The reader fills in the rest.
 */
export function mappingAdvice(names: readonly string[]): string {
  const left = new Set(names.filter((name) => !answerFields.some((field) => field === name)));
  const mapping: Record<string, unknown> = {};
  for (const [field, hints] of Object.entries(words)) {
    const column = hints
      .map((hint) => [...left].find((name) => name.toLowerCase().includes(hint)))
      .find((name) => name !== undefined);
    if (column === undefined) continue;
    mapping[field] = column;
    left.delete(column);
  }
  mapping['prompt'] ??= 'YOUR COLUMN';
  mapping['answer'] ??= 'YOUR COLUMN';
  mapping['run_at'] ??= 'YOUR COLUMN';
  mapping['engine'] ??= { value: 'chatgpt' };
  return `If the file has its own column names, map them: write map.json, such as ${JSON.stringify(mapping)}, and add --map map.json. \`overheard answers import --help\` lists the fields.`;
}
