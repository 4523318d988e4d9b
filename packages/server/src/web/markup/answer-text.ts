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
 * Shows an answer with all its characters, so that positions stay right. Text that does not count is
 * dimmed, names are marked, and characters that would act on the page are shown by their number. The
 * element's text equals the answer.
 */
export function answerText(
  text: string,
  marks: readonly TextMark[],
  language: string,
  counted: CountedRange = wholeText,
): Html {
  const { start, end: last } = rangeInUnits(text, counted);
  const end = Math.max(start, last);
  const show = createWriter(text, marks);
  const dimmed = (from: number, to: number): Content =>
    from < to && html`<span class="sign">${show(from, to)}</span>`;
  // The parser drops one line feed after the tag.
  return html`<pre class="answer" dir="auto" lang="${language}">${'\n'}${dimmed(0, start)}${show(start, end)}${dimmed(end, text.length)}</pre>`;
}

/**
 * Writes parts of a text, from left to right, with its names marked. If two names overlap, the
 * second keeps what follows the first.
 */
export function createWriter(
  text: string,
  marks: readonly TextMark[],
): (from: number, to: number) => Content {
  const ranges = toRanges(text, marks);
  let next = 0;
  return (from, to) => {
    const parts: Content[] = [];
    let at = from;
    while ((ranges[next]?.to ?? Infinity) <= from) next += 1;
    for (let each = next; (ranges[each]?.from ?? Infinity) < to; each += 1) {
      const range = ranges[each];
      if (range === undefined || range.to <= at) continue;
      const { isBrand, rank } = range.mark;
      const begin = Math.max(at, range.from);
      const end = Math.min(to, range.to);
      const number = rank !== null && html` data-rank="${rank}"`;
      parts.push(
        showActing(text.slice(at, begin)),
        html`<mark class="${isBrand ? 'own' : 'rival'}" ${number}>${showActing(text.slice(begin, end))}</mark>`,
      );
      at = end;
    }
    return [...parts, showActing(text.slice(at, to))];
  };
}

/** A name in the text, in code units. */
interface MarkedRange {
  readonly from: number;
  readonly to: number;
  readonly mark: TextMark;
}

function toRanges(text: string, marks: readonly TextMark[]): MarkedRange[] {
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
