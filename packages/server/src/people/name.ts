import { printable } from '../values/printable.ts';

export const nameLengthMax = 100;

/** The name of a person or a key on one line; undefined for text that is empty or too long. */
export function parseName(text: string): string | undefined {
  const name = printable(text.normalize('NFC')).trim().replaceAll(/\s+/g, ' ');
  const { length } = Array.from(name);
  return length > 0 && length <= nameLengthMax ? name : undefined;
}
