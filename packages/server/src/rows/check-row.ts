import { nearest } from '@overheard/contract';
import type { FormatOptions, Row } from './row.ts';

/**
 * Reads one JSON text as a row. Undefined, with faults added, for text that is not one JSON object,
 * that has a name twice or an unknown one, or holds text that cannot be stored.
 */
export function parseRow(
  text: string,
  { number, line }: Pick<Row, 'number' | 'line'>,
  { fields, faults }: FormatOptions,
): Row | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) {
    faults.add({ line, expected: objectExpected(text, value), found: text.trim() });
    return undefined;
  }
  const before = faults.count;
  const names = Object.keys(value);
  // JSON.parse keeps the last of two equal names without a word.
  if (countNames(text) !== names.length) {
    faults.add({ line, expected: 'each field once', found: text.trim() });
  }
  for (const name of names) {
    const fault = fields === undefined ? undefined : unknownField(name, fields);
    if (fault !== undefined) faults.add({ line, ...fault });
    const unstorable = findUnstorable(value[name], name);
    if (unstorable !== undefined) faults.add({ line, ...unstorable });
  }
  if (faults.count > before) return undefined;
  return { number, line, isText: false, hasDecimalComma: false, value };
}

/** A fault, without its line, for a name that is not known. */
export function unknownField(
  name: string,
  fields: readonly string[],
): { field: string; expected: string } | undefined {
  if (fields.includes(name)) return undefined;
  const meant = nearest(name, fields) ?? `one of ${fields.join(', ')}`;
  return { field: name, expected: `${meant}; there is no field of this name` };
}

const depthMax = 8;

/** A fault, without its line, for the first text within a value that the database cannot store. */
export function findUnstorable(
  value: unknown,
  field: string,
  depth = 0,
): { field: string; expected: string; found: unknown } | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0'))
      return { field, expected: 'text without NUL characters', found: value };
    if (!value.isWellFormed()) {
      return {
        field,
        expected: 'well-formed text (half of a surrogate pair is missing)',
        found: value,
      };
    }
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  // No field of ours is nested deeper; what is shown of it must not be deep either.
  if (depth === depthMax)
    return { field, expected: 'a value that is not nested so deep', found: '...' };
  for (const [name, inner] of Object.entries(value)) {
    const fault =
      findUnstorable(name, `${field}.${name}`) ??
      findUnstorable(inner, `${field}.${name}`, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectExpected(text: string, value: unknown): string {
  if (value !== undefined) return 'a JSON object';
  const number = /[:[,]\s*(-?(?:NaN|Infinity))\b/.exec(text)?.[1];
  return number === undefined
    ? 'a JSON object'
    : `a JSON object (${number} is not JSON: leave the field out or write null)`;
}

const [quote, colon, open, close, openList, closeList] = [0x22, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d];

/** Names at the top level of the text of a JSON object. */
function countNames(text: string): number {
  let depth = 0;
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at);
    else if (code === colon && depth === 1) names += 1;
    else if (code === open || code === openList) depth += 1;
    else if (code === close || code === closeList) depth -= 1;
  }
  return names;
}

/** Where the string that begins at `start` ends. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}
