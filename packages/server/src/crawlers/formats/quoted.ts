/**
 * The end of the string that opens with the quote at `open`: the next `"` that is not escaped. -1
 * where there is none.
 */
export function closingQuote(line: string, open: number): number {
  let close = line.indexOf('"', open + 1);
  while (close !== -1 && line.charCodeAt(close - 1) === backslash && isEscaped(line, close)) {
    close = line.indexOf('"', close + 1);
  }
  return close;
}

const backslash = 0x5c;

/** Whether an odd number of backslashes stands before a character. */
function isEscaped(line: string, place: number): boolean {
  let count = 0;
  while (line.charCodeAt(place - 1 - count) === backslash) count++;
  return count % 2 === 1;
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
