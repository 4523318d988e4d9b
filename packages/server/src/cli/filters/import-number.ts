import { parsed } from '../define/options.ts';

/** An import, as `imports list` shows it. */
export const importNumber = parsed('<id>', 'only runs that this import created', {
  parse: parseImportNumber,
  expected: 'It must be the number of an import: see `overheard imports list`.',
});

/** The number of an import; undefined for text that is none. */
export function parseImportNumber(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
