import type { Span } from './format.ts';

const quote = 0x22;
const backslash = 0x5c;

/** Where the next `"` that is not escaped stands, from `start` on; -1 where there is none before `end`. */
export function findQuote(bytes: Uint8Array, start: number, end: number): number {
  for (let index = start; index < end; index++) {
    const byte = bytes[index];
    if (byte === quote) return index;
    if (byte === backslash) index++;
  }
  return -1;
}

/** Finds the string that opens with the quote at `open`. */
export function findQuoted(bytes: Uint8Array, open: number, end: number, found: Span): boolean {
  const close = findQuote(bytes, open + 1, end);
  found.start = open + 1;
  found.end = close;
  return close !== -1;
}

/** Undoes what servers do to quotes, backslashes and bytes: `\"`, `\\`, `\t`, `\x22`. Bytes are UTF-8. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /(?:\\x[0-9a-fA-F]{2})+|\\(.)/g,
    (escape: string, single: string | undefined) =>
      single === undefined ? decodeBytes(escape) : (controls[single] ?? single),
  );
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', v: '\v', b: '\b' };

function decodeBytes(escape: string): string {
  return Buffer.from(escape.replaceAll('\\x', ''), 'hex').toString('utf8');
}
