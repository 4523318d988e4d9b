/**
 * Characters that a terminal or a log may act on: control characters, line and paragraph
 * separators, and marks that change the direction of reading. Also lone surrogates, which no
 * encoding can represent.
 */
const acting = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Such characters that also separate words. */
const separating = /[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu;
/** Characters to escape in messages. They include invisible ones, such as a zero-width space. */
const unseen = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Foreign text on one line that cannot act on a terminal or forge a line of a log. Line ends and
 * tabs become a space, other such characters `U+FFFD`. Text longer than `lengthMax` is cut and ends
 * in an ellipsis.
 */
export function printable(
  text: string,
  { lengthMax = Number.POSITIVE_INFINITY }: { lengthMax?: number } = {},
): string {
  // Cut the text before searching it, because foreign text may have megabytes.
  const shortened = text.length > lengthMax ? `${start(text, lengthMax - 1)}…` : text;
  return shortened.replaceAll(separating, ' ').replaceAll(acting, '\u{fffd}');
}

/** Longer than a character of any script; a longer sequence is cut. */
const graphemeLengthMax = 64;
const graphemes = new Intl.Segmenter('en');

/**
 * Cuts a text to a number of code units, without splitting a surrogate pair or a letter from its
 * marks.
 */
function start(text: string, lengthMax: number): string {
  const from = Math.max(0, lengthMax - graphemeLengthMax);
  const across = graphemes.segment(text.slice(from, lengthMax + 2)).containing(lengthMax - from);
  const isWhole = across === undefined || (across.index === 0 && from > 0);
  return text.slice(0, isWhole ? lengthMax : from + across.index);
}

/** Lines, in which undefined and false are left out. */
export type Lines = ReadonlyArray<string | false | undefined>;

/** Joins lines that contain foreign text, and makes each of them printable. */
export function printableLines(lines: Lines): string {
  return lines
    .filter((line) => typeof line === 'string')
    .map((line) => printable(line))
    .join('\n');
}

/**
 * Foreign text for an error message: like `printable`, but with unsafe and invisible characters
 * written as `\u{200b}`.
 */
export function escapeUnseen(text: string): string {
  return text.replaceAll(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
