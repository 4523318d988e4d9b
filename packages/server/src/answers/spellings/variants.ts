/** Words for `&` by language. */
const ands: Readonly<Record<string, readonly string[]>> = {
  en: ['and'],
  de: ['und'],
  fr: ['et'],
  es: ['y'],
  it: ['e'],
  pt: ['e'],
  nl: ['en'],
  da: ['og'],
  no: ['og'],
  nb: ['og'],
  nn: ['og'],
  sv: ['och'],
  fi: ['ja'],
  et: ['ja'],
  pl: ['i'],
  cs: ['a'],
  sk: ['a'],
  hu: ['és'],
  ro: ['și'],
  tr: ['ve'],
  ru: ['и'],
  uk: ['і', 'та'],
};

const legalForm =
  /[\s,]+(?:inc|incorporated|corp|corporation|co|company|ltd|limited|llc|llp|plc|gmbh|ag|se|kg|ohg|ug|e\.?v|sa|sas|sarl|s\.?a\.?|s\.?r\.?l|s\.?p\.?a|n\.?v|b\.?v|oy|oyj|ab|as|a\/s|aps|asa|s\.?l|s\.?a\.?u|sp\. z o\.?o|s\.?r\.?o|a\.?s|kft|zrt|nyrt|pty|pte|k\.?k|gmbh & co\. kg|ооо|оао|пао|ао)\.?$/iu;

const umlauts: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ø: 'oe',
  Ø: 'Oe',
  å: 'aa',
  Å: 'Aa',
};

/** One rule that makes other spellings of a name. Returns an empty list if it does not apply. */
type Rule = (name: string, languages: readonly string[]) => readonly string[];

const rules: readonly Rule[] = [
  withoutApostrophe,
  withApostrophe,
  withAnd,
  withAmpersand,
  withDotsChanged,
  withPlus,
  withoutLegalForm,
  withoutArticle,
  withoutDomainEnding,
  withoutSigns,
  inPartsByCase,
  withUmlautsSpelled,
];

/**
 * Other spellings that people may use for a name, the likeliest first. Two rules may apply to one
 * name: `Ben & Jerry's` is also `Ben and Jerrys`.
 */
export function variantsOf(name: string, languages: readonly string[]): string[] {
  const first = applyAll(name);
  const second = first.flatMap(applyAll);
  return [...new Set([...first, ...second])].filter((text) => text !== name && text !== '');

  function applyAll(text: string): string[] {
    return rules.flatMap((rule) => rule(text, languages)).map(tidy);
  }
}

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function replaceAny(name: string, pattern: RegExp, by: string): string[] {
  const text = name.replaceAll(pattern, by);
  return text === name ? [] : [text];
}

function withoutApostrophe(name: string): readonly string[] {
  return replaceAny(name, /['\u2018\u2019\u02bc`\u00b4]/gu, '');
}

/** `McDonalds` is also `McDonald's`. In other names the `s` is rarely a genitive. */
function withApostrophe(name: string): readonly string[] {
  return replaceAny(name, /\b(Ma?c\p{Lu}\p{Ll}+)s\b/gu, "$1's");
}

function withAnd(name: string, languages: readonly string[]): readonly string[] {
  if (!name.includes('&')) return [];
  const words = new Set(['en', ...languages].flatMap((language) => ands[language] ?? []));
  return [
    ...[...words].flatMap((word) => replaceAny(name, /\s*&\s*/g, ` ${word} `)),
    ...replaceAny(name, /\s*&\s*/g, ' & '),
    ...replaceAny(name, /\s*&\s*/g, '&'),
  ];
}

function withAmpersand(name: string, languages: readonly string[]): readonly string[] {
  const words = new Set(['en', ...languages].flatMap((language) => ands[language] ?? []));
  return [...words].flatMap((word) => {
    // The word between two others, as in `Johnson and Johnson`.
    const between = new RegExp(
      `(?<=[\\p{L}\\p{N}]{2}[\\p{L}\\p{N}'’.]*) ${word} (?=[\\p{L}\\p{N}])`,
      'giu',
    );
    return replaceAny(name, between, ' & ');
  });
}

/** `Dr. Oetker`, `J.P. Morgan` and `E.ON`: without the dots, or with a space after each dot. */
function withDotsChanged(name: string): readonly string[] {
  const inner = /(?<=\p{L})\.(?=[\s-]|$)|(?<=(?<!\p{L})\p{L})\.(?=\p{L})/gu;
  if (/\.\p{Ll}{2,}$/u.test(name)) return [];
  return [
    ...replaceAny(name, inner, ''),
    ...replaceAny(name, /(?<=\p{L})\.(?=\p{L})/gu, '. '),
    ...replaceAny(name, /(?<=\p{L})\.\s+(?=\p{L})/gu, '.'),
    ...replaceAny(name, /^Dr\.? /gu, 'Doctor '),
    ...replaceAny(name, /^St\.? /gu, 'Saint '),
  ];
}

function withPlus(name: string): readonly string[] {
  return [
    ...replaceAny(name, /(?<=[\p{L}\p{N}])\+$/gu, ' Plus'),
    ...replaceAny(name, /(?<=\p{L}) Plus$/gu, '+'),
  ];
}

function withoutLegalForm(name: string): readonly string[] {
  return [name.replace(legalForm, '')];
}

function withoutArticle(name: string): readonly string[] {
  return replaceAny(name, /^the (?=.{3})/giu, '');
}

function withoutDomainEnding(name: string): readonly string[] {
  return replaceAny(name, /(?<=\p{L}{3})\.(?:com|io|ai|net|org|co|app)$/giu, '');
}

/** Names with special signs: `Yahoo!`, `E*TRADE`, `Toys "R" Us`. */
function withoutSigns(name: string): readonly string[] {
  return [
    ...replaceAny(name, /[!?*"“”„«»™®©°|]/gu, ''),
    ...replaceAny(name, /(?<=\p{L})[*/|·•:](?=\p{L})/gu, '-'),
  ];
}

/** `HubSpot` is also `Hub Spot`. `McDonald`, `iPhone` and `eBay` are not split. */
function inPartsByCase(name: string): readonly string[] {
  return replaceAny(
    name,
    /(?<=\p{Lu}\p{Ll}+)(?<!\bMa?c)(?<!\b\p{Lu}\p{Ll}?)(?=\p{Lu}\p{L})|(?<=\p{Lu}{2})(?=\p{Lu}\p{Ll}{2})|(?<=\p{Ll}{2})(?=\p{Nd}{2})/gu,
    ' ',
  );
}

/** `Müller` is also `Mueller`. Detection finds `Muller` already. */
function withUmlautsSpelled(name: string): readonly string[] {
  return [name.normalize('NFC').replaceAll(/[äöüøå]/giu, (letter) => umlauts[letter] ?? letter)];
}
