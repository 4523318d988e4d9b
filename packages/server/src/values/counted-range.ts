import { createCodePointReader } from './code-points.ts';

/**
 * The range of an answer's text that counts, in code points; the rest is the page's own text. Null
 * is the beginning or the end of the text.
 */
export interface CountedRange {
  /** The first code point that counts. */
  readonly counts_from: number | null;
  /** The first code point after it that does not count. */
  readonly counts_to: number | null;
}

/** The columns of a range, for queries. */
export const rangeColumns = ['counts_from', 'counts_to'] as const;

/** The range of a text without anything around it. */
export const wholeText: CountedRange = { counts_from: null, counts_to: null };

/** The ends of a range in code units. */
export function rangeInUnits(
  text: string,
  { counts_from: from, counts_to: to }: CountedRange,
): { readonly start: number; readonly end: number } {
  const offsetOf = createCodePointReader(text);
  const start = from === null ? 0 : offsetOf(from);
  return { start, end: to === null ? text.length : offsetOf(to) };
}

/** The part of a stored answer that counts. */
export function countedText(stored: CountedRange & { readonly answer: string }): string {
  const { start, end } = rangeInUnits(stored.answer, stored);
  return stored.answer.slice(start, end);
}
