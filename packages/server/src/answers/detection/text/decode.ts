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

/** The names of Latin-1, from U+00A0 on, in the order of HTML 4. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );

/** Only the names that answers use. HTML 5 has thousands more, mostly mathematical. */
const others: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  lsquo: '\u2018',
  rsquo: '\u2019',
  sbquo: '\u201a',
  ldquo: '\u201c',
  rdquo: '\u201d',
  bdquo: '\u201e',
  hyphen: '\u2010',
  ndash: '\u2013',
  mdash: '\u2014',
  bull: '\u2022',
  hellip: '\u2026',
  trade: '\u2122',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
  OElig: '\u0152',
  oelig: '\u0153',
  Scaron: '\u0160',
  scaron: '\u0161',
  Yuml: '\u0178',
};

const named = new Map([
  ...latin.map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
  ...Object.entries(others),
]);

/**
 * The character of an HTML character reference, by its name or its number (decimal or hexadecimal,
 * as text). Undefined for NUL, lone surrogates and numbers beyond Unicode.
 */
function referredCharacter(reference: {
  readonly name?: string | undefined;
  readonly decimal?: string | undefined;
  readonly hexadecimal?: string | undefined;
}): string | undefined {
  const { name = '', decimal, hexadecimal = '' } = reference;
  const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return named.get(name) ?? (isCharacter ? String.fromCodePoint(code) : undefined);
}
