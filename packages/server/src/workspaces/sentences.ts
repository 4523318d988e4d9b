import { nearest } from '@overheard/contract';
import { printable } from '../values/printable.ts';

/** What somebody typed, short and on one line, for a sentence about it. */
export function quoted(text: string): string {
  return `"${printable(text, { lengthMax: 80 })}"`;
}

/** ` Did you mean "acme"?`, or nothing where no known word is near. */
export function suggestion(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === undefined ? '' : ` Did you mean "${found}"?`;
}
