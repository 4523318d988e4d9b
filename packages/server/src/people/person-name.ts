import { printable } from '../values/printable.ts';

export const personNameLengthMax = 100;

/** A person's name on one line; undefined for text that is empty or too long. */
export function parsePersonName(text: string): string | undefined {
  const name = printable(text.normalize('NFC')).trim().replaceAll(/\s+/g, ' ');
  const { length } = Array.from(name);
  return length > 0 && length <= personNameLengthMax ? name : undefined;
}
