import { nearest } from '@overheard/contract';

/** What somebody typed, short and on one line, for a sentence about it. */
export function printable(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** ` Did you mean "acme"?`, or nothing where no known word is near. */
export function suggestion(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === undefined ? '' : ` Did you mean "${found}"?`;
}
