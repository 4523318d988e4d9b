/** Most code units to keep on each side. */
const reach = 240;

/**
 * The end of a sentence: a full stop or similar sign with white space after it, or a sign that
 * needs none.
 */
const stops = /[.!?\u2026]["'\u201d\u2019)\]*_]*\s+(?=\S|$)|[\u3002\uff01\uff1f\u0964\u06d4]/gu;

/**
 * The sentence around `text[start, end)`, which shows a person why the mention counts. It stays
 * within one line, has single spaces, and is cut with an ellipsis if it is long.
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
  const words = putOnOneLine(sentence);
  return `${isCutBefore ? '\u2026' : ''}${words}${isCutAfter ? '\u2026' : ''}`;
}

/** A piece of a text with single spaces and without half characters at its ends. */
export function putOnOneLine(piece: string): string {
  return piece
    .toWellFormed()
    .replace(/\ufffd/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function lastStop(before: string): number {
  let last = 0;
  for (const stop of before.matchAll(stops)) last = stop.index + stop[0].length;
  return last;
}

function firstStop(after: string): number {
  const stop = after.matchAll(stops).next().value;
  return stop === undefined ? after.length : stop.index + stop[0].trimEnd().length;
}
