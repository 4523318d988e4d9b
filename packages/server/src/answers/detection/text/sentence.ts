/** Code units on each side that are kept at most. */
const reach = 240;

/** Ends a sentence: a full stop and its kin with blanks behind, or those that need none. */
const stops = /[.!?\u2026]["'\u201d\u2019)\]*_]*\s+(?=\S|$)|[\u3002\uff01\uff1f\u0964\u06d4]/gu;

/**
 * The sentence around `text[start, end)`, for a person to see why it counts: within its line, white
 * space made single, cut with an ellipsis if it is long.
 */
export function sentenceAround(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf('\n', Math.max(0, start - 1)) + 1;
  const lineBreak = text.indexOf('\n', end);
  const lineEnd = lineBreak === -1 ? text.length : lineBreak;
  const from = Math.max(Math.min(lineStart, start), start - reach);
  const to = Math.min(lineEnd, end + reach);
  const before = text.slice(from, start);
  const after = text.slice(end, to);
  const begin = lastStop(before);
  const close = firstStop(after);
  const isCutBefore = begin === 0 && from > lineStart;
  const isCutAfter = close === after.length && to < lineEnd;
  const sentence = `${before.slice(begin)}${text.slice(start, end)}${after.slice(0, close)}`;
  const words = onOneLine(sentence);
  return `${isCutBefore ? '\u2026' : ''}${words}${isCutAfter ? '\u2026' : ''}`;
}

/** A piece of a text with its white space made single, without half characters at its ends. */
export function onOneLine(piece: string): string {
  return piece
    .toWellFormed()
    .replace(/\ufffd/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function lastStop(before: string): number {
  let last = 0;
  for (const found of before.matchAll(stops)) last = found.index + found[0].length;
  return last;
}

function firstStop(after: string): number {
  const found = after.matchAll(stops).next().value;
  return found === undefined ? after.length : found.index + found[0].trimEnd().length;
}
