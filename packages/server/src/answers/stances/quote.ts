import type { TextSpan } from './text-span.ts';

/** Characters of Markdown, and white space, which a judge may leave out of a quote. */
const skipped = /[\s*_#>`~|\\]/u;
const quoteMarks =
  /^[\s"'\u201c\u201d\u2018\u2019\u2026.]*|[\s"'\u201c\u201d\u2018\u2019\u2026]*$/gu;

/** A judge is asked for 20 words. */
const quoteLengthMax = 1000;
/** Fewer letters and signs show nothing. */
const quoteLengthMin = 3;

/**
 * Finds the words of a quote in the pieces of an answer that a judge was shown. Returns them as the
 * answer has them; undefined if no piece has them, or if they are too few to show
 * anything. White space and Markdown may differ.
 */
export function findQuote(
  answer: string,
  pieces: readonly TextSpan[],
  quote: string,
): string | undefined {
  // A judge that repeats itself may send megabytes.
  const wanted = condense(quote.slice(0, quoteLengthMax).replace(quoteMarks, '')).text;
  if (wanted.length < quoteLengthMin || !/[\p{L}\p{N}]/u.test(wanted)) return undefined;
  for (const { start, end } of pieces) {
    const piece = answer.slice(start, end);
    const { text, offsets } = condense(piece);
    const at = text.indexOf(wanted);
    if (at === -1) continue;
    const from = offsets[at] ?? 0;
    const last = offsets[at + wanted.length - 1] ?? from;
    return piece.slice(from, last + 1);
  }
  return undefined;
}

/** A text without what a quote may leave out, and the offset of each code unit that is left. */
function condense(text: string): { readonly text: string; readonly offsets: readonly number[] } {
  const offsets: number[] = [];
  let left = '';
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charAt(place);
    if (skipped.test(unit)) continue;
    offsets.push(place);
    left += unit;
  }
  return { text: left, offsets };
}
