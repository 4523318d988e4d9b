/** A text without character references, and how its offsets stand to those of the original. */
export interface DecodedText {
  readonly text: string;
  /** The offset in the original of one that lies between two characters; both in code units. */
  readonly toOriginal: (offset: number) => number;
}

/** The names of Latin-1, from U+00A0 on, in the order of HTML 4. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );

/** Those that stand in answers: HTML 5 has thousands more, of mathematics above all. */
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

const reference = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,7}));/g;

/** Decodes the character references of HTML, which Markdown has too: `AT&amp;T`, `Acme&#39;s`. */
export function decodeEntities(text: string): DecodedText {
  // Two lists of numbers: an answer may hold millions of references.
  const ends: number[] = [];
  const originals: number[] = [];
  let decoded = '';
  let last = 0;
  for (const found of text.includes('&') ? text.matchAll(reference) : []) {
    const [written, decimal, hexadecimal, name = ''] = found;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    const character = named.get(name) ?? characterOf(code);
    if (character === undefined) continue;
    decoded += text.slice(last, found.index) + character;
    last = found.index + written.length;
    ends.push(decoded.length);
    originals.push(last);
  }
  if (ends.length === 0) return { text, toOriginal: (offset) => offset };
  return { text: decoded + text.slice(last), toOriginal };

  function toOriginal(offset: number): number {
    const count = countUpTo(ends, offset);
    if (count === 0) return offset;
    return (originals[count - 1] ?? 0) + offset - (ends[count - 1] ?? 0);
  }
}

/** NUL, halves of pairs and what is beyond Unicode are no characters. */
function characterOf(code: number): string | undefined {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
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
