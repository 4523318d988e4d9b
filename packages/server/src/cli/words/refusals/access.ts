import { printable } from '../../../values/printable.ts';
import { whenForms } from '../../../values/when.ts';
import type { WordTable } from './word-table.ts';

export const accessWords = {
  key_expiry_malformed: () => [`--expires must be ${whenForms}.`],
  key_expiry_past: () => ['--expires is in the past: the key would open nothing.'],
  key_expiry_too_late: () => ['--expires is past the year 9999: leave it out.'],
  key_not_found: () => ['No key matches.', 'See `overheard key list` for the ids.'],
  key_ambiguous: ({ keys }) => [
    `${keys.length} keys match. Give more of the id.`,
    keys.map(({ id, name }) => `\n  ${id}  ${printable(name)}`).join(''),
  ],
} as const satisfies Partial<WordTable>;
