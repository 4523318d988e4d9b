import { printable } from '../../../values/printable.ts';
import { whenForms } from '../../../values/time/when.ts';
import type { WordTable } from './word-table.ts';

export const accessWords = {
  key_expiry_malformed: () => [`--expires must be ${whenForms}.`],
  key_expiry_past: () => ['--expires is in the past, so the key would be invalid.'],
  key_expiry_too_late: () => ['--expires is past the year 9999: leave it out.'],
  // Do not quote the word, because it may be the key itself.
  key_not_found: () => [
    'There is no such key.',
    'Give its id, the first 8 characters of the id or more, its last four characters, or the key itself: see `overheard key list`.',
  ],
  key_ambiguous: ({ keys }) => [
    `${keys.length} keys match. Give more of the id.`,
    keys.map(({ id, name }) => `\n  ${id}  ${printable(name)}`).join(''),
  ],
} as const satisfies Partial<WordTable>;
