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

/** CloudFront encodes what is odd, some of it twice; a plus is a plus. */
export function decodePercentTwice(text: string): string {
  return decodePercent(/%25[0-9a-f]{2}/i.test(text) ? decodePercent(text) : text);
}

/** Bytes are UTF-8; a percent sign alone is one. */
function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
