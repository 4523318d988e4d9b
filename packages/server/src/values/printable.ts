/**
 * What a terminal or a log may act on: control characters, line and paragraph separators, marks that
 * turn the direction of reading, and halves of surrogate pairs, which no encoding can carry.
 */
const acting = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Those of them that separate words. */
const separating = /[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu;
/** Also characters that cannot be seen, such as a zero-width space. */
const unseen = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Foreign text on one line that cannot act on a terminal or forge a line of a log. Line ends and tabs
 * become a space, other such characters `U+FFFD`. Longer text than `lengthMax` is cut, with an ellipsis.
 */
export function printable(
  text: string,
  { lengthMax = Number.POSITIVE_INFINITY }: { lengthMax?: number } = {},
): string {
  // Cut before the search: foreign text may be megabytes long.
  const kept = text.length > lengthMax ? `${start(text, lengthMax - 1)}…` : text;
  return kept.replaceAll(separating, ' ').replaceAll(acting, '\u{fffd}');
}

/** More than a character of any script takes; longer ones are cut. */
const graphemeLengthMax = 64;
const graphemes = new Intl.Segmenter('en');

/** At most so many code units of a text, without half of a surrogate pair or of a letter with its marks. */
function start(text: string, lengthMax: number): string {
  const from = Math.max(0, lengthMax - graphemeLengthMax);
  const across = graphemes.segment(text.slice(from, lengthMax + 2)).containing(lengthMax - from);
  const isWhole = across === undefined || (across.index === 0 && from > 0);
  return text.slice(0, isWhole ? lengthMax : from + across.index);
}

/** Lines with foreign text in them, each made printable, as one text. */
export function printableLines(lines: readonly string[]): string {
  return lines.map((line) => printable(line)).join('\n');
}

/** Foreign text for a message about it: as `printable`, with each such character and each unseen one as `\u{200b}`. */
export function spelledOut(text: string): string {
  return text.replaceAll(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
