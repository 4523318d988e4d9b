import { isDeepStrictEqual } from 'node:util';
import { quoteValue } from '../values/quote-value.ts';
import type { Fault } from './fault.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Finds the first field with different values in both rows. A field that one row leaves out does
 * not differ.
 */
export function findDifference(before: Fields, now: Fields) {
  const field = Object.keys(now).find(
    (name) =>
      before[name] !== undefined &&
      now[name] !== undefined &&
      !isDeepStrictEqual(before[name], now[name]),
  );
  return field === undefined ? undefined : { field, before: before[field], now: now[field] };
}

interface FileRow {
  readonly line: number;
  readonly content: Fields;
}

/**
 * Makes a fault if a row of a file contradicts an earlier one. `words` describe their relation: "is
 * of the same run".
 */
export function contradiction(earlier: FileRow, row: FileRow, words: string): Fault | undefined {
  const difference = findDifference(earlier.content, row.content);
  if (difference === undefined) return undefined;
  const { field, before, now } = difference;
  const expected = `${quoteValue(before)} as in line ${earlier.line}, which ${words}`;
  return { line: row.line, field, expected, found: now };
}
