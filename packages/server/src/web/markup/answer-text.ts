import { createCodePointReader } from '../../values/code-points.ts';
import { rangeInUnits, wholeText } from '../../values/counted-range.ts';
import type { CountedRange } from '../../values/counted-range.ts';
import { html } from './html.ts';
import type { Content, Html } from './html.ts';

/** A place in an answer that names a subject; offsets in code points. */
export interface TextMark {
  readonly position: number;
  /**
   * Offset after the mention. Null if only the beginning is known, and then its first word is
   * marked.
   */
  readonly end: number | null;
  readonly isBrand: boolean;
  readonly rank: number | null;
}

/**
 * Shows an answer with all its characters, so that positions stay right. Markdown's signs are
 * dimmed, as is text that does not count; names are marked, and characters that would act on the
 * page are shown by their number. The element's text equals the answer.
 */
export function answerText(
  text: string,
  marks: readonly TextMark[],
  language: string,
  counted: CountedRange = wholeText,
): Html {
  const { start, end } = rangeInUnits(text, counted);
  const signs = findSigns(text).filter(({ from }) => from >= start && from < end);
  const dimmed = [{ from: 0, to: start }, ...signs, { from: end, to: text.length }];
  const pieces = split(text, [...toRanges(text, marks), ...dimmed]);
  const parts = pieces.map(({ from, to, range }) => {
    const words = showActing(text.slice(from, to));
    if (range === undefined) return words;
    if (range.mark === undefined) return html`<span class="sign">${words}</span>`;
    const { isBrand, rank } = range.mark;
    const number = rank !== null && html` data-rank="${rank}"`;
    return html`<mark class="${isBrand ? 'own' : 'rival'}" ${number}>${words}</mark>`;
  });
  // The parser drops one line feed after the tag.
  return html`<pre class="answer" dir="auto" lang="${language}">${'\n'}${parts}</pre>`;
}

/** A range of the text in code units: a mark, or a sign of Markdown. */
interface TextRange {
  readonly from: number;
  readonly to: number;
  readonly mark?: TextMark;
}

/** A hostile answer of megabytes has more signs than a page can hold as elements. */
const signsMax = 20_000;

/**
 * Markdown's signs of emphasis, code, strike-through, links and images, headings, quotes, lists,
 * tables and rules.
 */
const signPattern =
  /^[ \t]{0,8}(?:#{1,6}(?=[ \t])|>+|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))|\*+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}_])|`+|~~+|!?\[|\]\([^()\s]{0,2000}\)|\]|^\|?[ \t:|-]{3,500}$|\|/gmu;

function findSigns(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (const { index, 0: sign } of text.matchAll(signPattern)) {
    ranges.push({ from: index, to: index + sign.length });
    if (ranges.length === signsMax) break;
  }
  return ranges;
}

function toRanges(text: string, marks: readonly TextMark[]): TextRange[] {
  const offsetOf = createCodePointReader(text);
  const ends = createCodePointReader(text);
  return marks
    .toSorted((left, right) => left.position - right.position)
    .map((mark) => {
      const from = offsetOf(mark.position);
      const word = /^\S{0,200}/u.exec(text.slice(from, from + 400))?.[0] ?? '';
      return { from, to: mark.end === null ? from + word.length : ends(mark.end), mark };
    });
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly range?: TextRange;
}

/**
 * Cuts the text at the ranges. If two ranges overlap, a mark wins over a sign, and the first over
 * the second.
 */
function split(text: string, ranges: readonly TextRange[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const marks = ranges.filter(({ mark }) => mark !== undefined);
  const ordered = [...marks, ...withoutMarked(ranges, marks)].toSorted(
    (left, right) =>
      left.from - right.from || Number(left.mark === undefined) - Number(right.mark === undefined),
  );
  for (const range of ordered) {
    const from = Math.max(at, range.from);
    if (range.to <= from) continue;
    if (from > at) pieces.push({ from: at, to: from });
    pieces.push({ from, to: range.to, range });
    at = range.to;
  }
  if (at < text.length) pieces.push({ from: at, to: text.length });
  return pieces;
}

/**
 * Yields the signs without the parts that marks cover, because a link's address may contain a name.
 */
function* withoutMarked(
  ranges: readonly TextRange[],
  marks: readonly TextRange[],
): Generator<TextRange> {
  let next = 0;
  for (const { from, to, mark } of ranges) {
    if (mark !== undefined) continue;
    while ((marks[next]?.to ?? Infinity) <= from) next += 1;
    let at = from;
    for (let each = next; (marks[each]?.from ?? Infinity) < to; each += 1) {
      const covered = marks[each];
      if (covered === undefined) break;
      if (covered.from > at) yield { from: at, to: covered.from };
      at = Math.max(at, covered.to);
    }
    if (at < to) yield { from: at, to };
  }
}

/**
 * Control characters, line and paragraph separators, and characters that change the direction of
 * reading.
 */
const acting = /\r\n|(?:(?![\t\n\r])\p{Cc}|[\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]|\r(?!\n))+/gu;

/**
 * Puts characters that would act on the page into elements that show their number. A carriage
 * return is written as a reference, because a parser would drop it.
 */
function showActing(text: string): Content {
  const parts: Content[] = [];
  let at = 0;
  for (const { index, 0: characters } of text.matchAll(acting)) {
    parts.push(
      text.slice(at, index),
      characters === '\r\n' ? html`&#13;${'\n'}` : control(characters),
    );
    at = index + characters.length;
  }
  return [...parts, text.slice(at)];
}

function control(characters: string): Html {
  const code = (characters.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const shownCharacters = [...characters].map((each) => (each === '\r' ? html`&#13;` : each));
  return html`<span class="control" data-code="U+${code}">${shownCharacters}</span>`;
}
