import { createMemo } from '../../values/memo.ts';

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

/** Bytes in hexadecimal digits, each behind a mark such as `%`, are UTF-8. */
export function decodeBytes(marked: string): string {
  return Buffer.from(marked.replaceAll(/\\x|[%#]/g, ''), 'hex').toString('utf8');
}

/** CloudFront encodes what is odd, some of it twice; a plus is a plus, and a percent sign alone is one. */
export function decodePercentTwice(text: string): string {
  const decode = (each: string) => each.replace(/(?:%[0-9a-f]{2})+/gi, decodeBytes);
  return decode(/%25[0-9a-f]{2}/i.test(text) ? decode(text) : text);
}

/** A separator and the value behind it. */
const valuePattern = createMemo((separator) => {
  const [mark, spaces] = [RegExp.escape(separator), separator.trim() === '' ? '' : ' *'];
  return new RegExp(
    String.raw`${mark}${spaces}(?:"((?:[^"\\]|""|\\.)*)"(?=${mark}|$)|((?:(?!${mark}).)*))`,
    'gs',
  );
});

/**
 * The values of a line between separators. A quoted value may contain the separator, and quotes
 * that are doubled (RFC 4180) or escaped with a backslash. Stops after `valuesMax`, so that no line
 * is slow.
 */
export function splitValues(line: string, separator: string, valuesMax: number): readonly string[] {
  const isPlain = separator.trim() === '' && !line.includes('"');
  if (isPlain) return line.split(separator, valuesMax);
  return Array.from(
    `${separator}${line}`.matchAll(valuePattern(separator)).take(valuesMax),
    ([, quoted, bare = '']) => quoted?.replaceAll(/""|\\"/g, '"') ?? bare,
  );
}
