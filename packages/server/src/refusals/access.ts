import { state, usage } from './define.ts';
import { printable } from '../values/printable.ts';
import { whenForms } from '../values/time/when.ts';

export const accessRefusals = {
  key_expiry_malformed: usage<{ text: string }>(() => [`--expires must be ${whenForms}.`]),
  key_expiry_past: usage<{ text: string }>(() => [
    '--expires is in the past, so the key would be invalid.',
  ]),
  key_expiry_too_late: usage<{ text: string }>(() => [
    '--expires is past the year 9999: leave it out.',
  ]),
  // Do not quote the word, because it may be the key itself.
  key_not_found: state(() => [
    'There is no such key.',
    'Give its id, the first 8 characters of the id or more, its last four characters, or the key itself: see `overheard key list`.',
  ]),
  key_ambiguous: state<{ keys: ReadonlyArray<{ id: string; name: string }> }>(({ keys }) => [
    `${keys.length} keys match. Give more of the id.`,
    keys.map(({ id, name }) => `\n  ${id}  ${printable(name)}`).join(''),
  ]),
};
