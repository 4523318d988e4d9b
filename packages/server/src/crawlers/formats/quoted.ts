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

/**
 * The values of a line between separators. A quoted value may contain the separator, and quotes
 * that are doubled (RFC 4180) or escaped with a backslash. Stops after `valuesMax`, so that no line
 * is slow.
 */
export function splitValues(line: string, separator: string, valuesMax: number): readonly string[] {
  const values: string[] = [];
  let start = 0;
  while (start <= line.length && values.length < valuesMax) {
    if (separator.trim() !== '') start = pastSpaces(line, start);
    const end = line[start] === '"' ? endOfQuoted(line, start, separator) : undefined;
    if (end === undefined) {
      const next = line.indexOf(separator, start);
      const stop = next === -1 ? line.length : next;
      values.push(line.slice(start, stop));
      start = stop + separator.length;
    } else {
      values.push(line.slice(start + 1, end).replaceAll(/""|\\"/g, '"'));
      start = end + 1 + separator.length;
    }
  }
  return values;
}

/** The place of the closing quote, before a separator or the end. Undefined if there is none. */
function endOfQuoted(line: string, start: number, separator: string): number | undefined {
  for (let place = start + 1; place < line.length; place++) {
    if (line[place] === '\\') place++;
    else if (line[place] === '"') {
      if (line[place + 1] === '"') place++;
      else {
        const isEnd = place + 1 === line.length || line.startsWith(separator, place + 1);
        return isEnd ? place : undefined;
      }
    }
  }
  return undefined;
}

function pastSpaces(line: string, start: number): number {
  let place = start;
  while (line[place] === ' ') place++;
  return place;
}
