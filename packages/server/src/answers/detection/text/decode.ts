import { referredCharacter } from './referred-character.ts';

/** A text as a reader sees it, with a map of its offsets to the original's. */
export interface DecodedText {
  readonly text: string;
  /**
   * The text with a letter in place of each escaped character. Search it for Markdown's brackets.
   * It has the length of `text`.
   */
  readonly structure: string;
  /** Maps an offset between two characters to the original. Both are in code units. */
  readonly toOriginal: (offset: number) => number;
}

/**
 * HTML character references, Markdown's backslashes (`AT\&T`), and defanged addresses
 * (`acme[.]com`).
 */
const encoded =
  /(?<reference>\\?&(?:#(?<decimal>\d{1,7})|#[xX](?<hexadecimal>[\da-fA-F]{1,6})|(?<name>[a-zA-Z][a-zA-Z\d]{1,7}));)|(?<dot>(?<=[\p{L}\p{M}\p{N}-])(?:\\?\[\\?\.\\?\]|\\?\(\\?\.\\?\))(?=[\p{L}\p{N}]))|\\(?:(?<escaped>[!-/:-@[-`{-~])|(?<lineEnd>\r?\n))|(?<![\p{L}\p{N}])(?<scheme>hxxps?)(?=:\/\/)/giu;
const mayBeEncoded = /[&\\]|[[(]\.|hxxp/i;
const plainLetter = 'x';

/** Decodes the character references of HTML and the backslash escapes of Markdown, in one pass. */
export function decodeText(original: string): DecodedText {
  if (!mayBeEncoded.test(original)) return unchangedText(original);
  // Store two lists of numbers instead of objects, because an answer may contain millions of
  // references.
  const ends: number[] = [];
  const originals: number[] = [];
  let text = '';
  let structure = '';
  let last = 0;
  for (const entity of original.matchAll(encoded)) {
    const character = characterOf(entity.groups ?? {});
    if (character === undefined) continue;
    const between = original.slice(last, entity.index);
    text += between + character;
    structure += between + (entity.groups?.['escaped'] === undefined ? character : plainLetter);
    last = entity.index + entity[0].length;
    ends.push(text.length);
    originals.push(last);
  }
  if (ends.length === 0) return unchangedText(original);
  const tail = original.slice(last);
  return { text: text + tail, structure: structure + tail, toOriginal };

  function toOriginal(offset: number): number {
    const count = countUpTo(ends, offset);
    if (count === 0) return offset;
    return (originals[count - 1] ?? 0) + offset - (ends[count - 1] ?? 0);
  }
}

function unchangedText(text: string): DecodedText {
  return { text, structure: text, toOriginal: (offset) => offset };
}

function characterOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  if (groups['reference'] !== undefined) return referredCharacter(groups);
  if (groups['dot'] !== undefined) return '.';
  if (groups['scheme'] !== undefined) return groups['scheme'].replace(/xx/i, 'tt');
  return groups['escaped'] ?? groups['lineEnd'];
}

/** How many of the ascending numbers are at most a limit. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Makes a function that turns offsets in code units into offsets in code points. Ask for them in
 * ascending order: the text is then read once.
 */
export function createCodePointCounter(text: string): (offset: number) => number {
  let pairs = 0;
  let at = 0;
  return function codePointsBefore(offset) {
    for (; at < offset; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit >= 0xd800 && unit <= 0xdbff) pairs += 1;
    }
    return offset - pairs;
  };
}
