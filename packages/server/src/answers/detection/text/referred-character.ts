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
export function referredCharacter(reference: {
  readonly name?: string | undefined;
  readonly decimal?: string | undefined;
  readonly hexadecimal?: string | undefined;
}): string | undefined {
  const { name = '', decimal, hexadecimal = '' } = reference;
  const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return named.get(name) ?? (isCharacter ? String.fromCodePoint(code) : undefined);
}
