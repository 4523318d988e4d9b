import { nearest } from '@overheard/contract';
import { parseJson } from '../values/json.ts';
import type { Fault } from './fault.ts';
import type { FormatOptions, Row } from './row.ts';

/**
 * Reads one JSON text as a row. Adds faults and returns undefined if the text is not one JSON
 * object, has a repeated or unknown name, or contains text that cannot be stored.
 */
export function parseRow(
  text: string,
  { number, line }: Pick<Row, 'number' | 'line'>,
  { fields, faults, isForeign = false }: FormatOptions,
): Row | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) {
    faults.add({ line, ...objectExpected(text, value), found: text.trim() });
    return undefined;
  }
  const row = { number, line, isText: false, hasDecimalComma: false, value };
  if (isForeign) return row;
  const before = faults.count;
  const names = Object.keys(value);
  // JSON.parse silently keeps the last of two equal names.
  if (countNames(text) !== names.length) {
    faults.add({ line, expected: 'each field once', found: text.trim() });
  }
  for (const name of names) {
    const fault = fields === undefined ? undefined : unknownField(name, fields);
    if (fault !== undefined) faults.add({ line, ...fault });
    const unstorable = findUnstorable(value[name], name);
    if (unstorable !== undefined) faults.add({ line, ...unstorable });
  }
  return faults.count > before ? undefined : row;
}

/** Makes a fault, without its line, for an unknown name. */
export function unknownField(
  name: string,
  fields: readonly string[],
): (Omit<Fault, 'line'> & { readonly field: string }) | undefined {
  if (fields.includes(name)) return undefined;
  const meant = nearest(name, fields) ?? `one of ${fields.join(', ')}`;
  return { field: name, expected: `${meant}; there is no field of this name`, isUnknown: true };
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
  // No field is nested more deeply, and the shown value must not be either.
  if (depth === depthMax)
    return { field, expected: 'a value that is nested less deeply', found: '...' };
  for (const [name, inner] of Object.entries(value)) {
    const fault =
      findUnstorable(name, `${field}.${name}`) ??
      findUnstorable(inner, `${field}.${name}`, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const expected = 'a JSON object';
/** Characters to examine of a row, which may have megabytes. */
const lookedAtMax = 64 * 1024;

/** Explains why a text isn't a JSON object, for the most frequent reasons. */
function objectExpected(text: string, value: unknown): { field?: string; expected: string } {
  if (value !== undefined) return { expected };
  // Matches whole strings and numbers. The last string before a number is its name.
  const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"\s*(:?)|(-?(?:NaN|Infinity))\b/g;
  let field: string | undefined;
  for (const [, string = '', hasColon, number] of text.slice(0, lookedAtMax).matchAll(tokens)) {
    if (number !== undefined) {
      const advice = `(${number} is not JSON: leave the field out or write null)`;
      return field === undefined
        ? { expected: `${expected} ${advice}` }
        : { field, expected: `a value of JSON ${advice}` };
    }
    if (hasControl(string)) {
      const advice = 'in text, control characters are escaped, as \\n is, and NUL cannot be stored';
      return { expected: `${expected} (${advice})` };
    }
    if (hasColon === ':') field = string;
  }
  return { expected };
}

function hasControl(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return /[\u0000-\u001f]/.test(text);
}

const [quote, colon, open, close, openList, closeList] = [0x22, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d];

/** Counts the names at the top level of a JSON object's text. */
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

/** The end of the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}
