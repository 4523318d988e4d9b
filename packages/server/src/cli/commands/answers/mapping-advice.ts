import { guessColumns } from '../../../answers/import/guess-columns.ts';
import { answerFields } from '../../../answers/import/parse-answer.ts';

/**
 * Advice about columns with other names: a mapping file with the columns that their names suggest.
 * It contains only `names` that a mapping can have. The reader fills in the rest.
 */
export function mappingAdvice(names: readonly string[]): string {
  const foreign = names.filter((name) => !answerFields.some((field) => field === name));
  const mapping: Record<string, unknown> = guessColumns(foreign);
  mapping['prompt'] ??= 'YOUR COLUMN';
  mapping['answer'] ??= 'YOUR COLUMN';
  mapping['run_at'] ??= 'YOUR COLUMN';
  mapping['engine'] ??= { value: 'chatgpt' };
  return `If the file has its own column names, map them: write map.json, such as ${JSON.stringify(mapping)}, and add --map map.json. \`overheard answers import --help\` lists the fields.`;
}
