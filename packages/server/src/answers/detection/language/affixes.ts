/** Prefixes and endings that a language attaches to a name without a space or an apostrophe. */
export interface Affixes {
  readonly isPrefix: (letters: string) => boolean;
  readonly isSuffix: (letters: string, name: string) => boolean;
  /** Shorter names get no ending, because with one they could too easily be another word. */
  readonly nameLettersMin: number;
  /** Whether the article may be merged into a preposition: `للهلال` contains the alias `الهلال`. */
  readonly hasMeltedArticle: boolean;
}

/** Case endings of Turkish, and what may follow them: `Google'daki`, `Google'ınkiler`. */
const turkishEnd = String.raw`(?:l[ae]r)?(?:y?[ıiuü]|[nsy]?[ae]|[nst][ıiuü]|(?:[ıiuü]?n)?[ıiuü]n|(?:[ıiuü]?n)?[dt][ae]n?|[ıiuü]n[ae]|y?l[ae]|l[ıiuü]|s[ıiuü]z|c[ae]|[dt][ıiuü]r|[dt]?y[dm][ıiuü]ş?|(?:(?:[ıiuü]?n)?[dt][ae]|n?[ıiuü]n)ki(?:l[ae]r)?(?:(?:[ıiuü]?n)?[ıiuü]n|(?:[ıiuü]?n)?[dt][ae]n?|[ıiuü]n[ae]|n?[ıiuüae])?)?`;

/** Endings behind an apostrophe, whatever the language: English, then Turkish. */
export const apostropheEnd = new RegExp(
  `^(?:s|d|ll|re|ve|[dt][ıiuü]n|[dt][ıiuü]|${turkishEnd})$`,
  'iu',
);

const never = (): boolean => false;
const none = { isPrefix: never, isSuffix: never, nameLettersMin: 4, hasMeltedArticle: false };

const genitive: Affixes = { ...none, isSuffix: (letters) => letters === 's', nameLettersMin: 2 };

const turkish = new RegExp(`^(?:${turkishEnd})$`, 'u');
const byLanguage = new Map<string, Affixes>([
  ...['da', 'sv', 'no', 'nb', 'nn', 'de', 'nl'].map((tag): [string, Affixes] => [tag, genitive]),
  ['tr', { ...none, isSuffix: isTurkishSuffix }],
  ['ar', { ...none, isPrefix: isArabicPrefix, hasMeltedArticle: true }],
  ['he', { ...none, isPrefix: isHebrewPrefix }],
]);

/** The affixes of a language, by its BCP 47 tag; undefined if none are known. */
export function affixesOf(language: string | undefined): Affixes | undefined {
  return language === undefined ? undefined : byLanguage.get(language.split('-', 1)[0] ?? '');
}

/**
 * Behind an apostrophe any ending may follow any name. Without an apostrophe, the ending must agree
 * with a vowel that ends the name: `Metadan`, but `Metali` is metal. `-ca` makes other names:
 * `Karaca`. https://en.wikipedia.org/wiki/Vowel_harmony#Turkish
 */
function isTurkishSuffix(letters: string, name: string): boolean {
  if (letters.length < 2 || !turkish.test(letters) || /^c[ae]$/u.test(letters)) return false;
  return !/[aıou]$/iu.test(name) || !/^[^aeıioöuü]*[eiöü]/u.test(letters);
}

/**
 * Prefixes for and, so; in, as, to; and the article. Ignores vowel marks and the tatweel (U+0640),
 * which only stretches a word.
 */
function isArabicPrefix(letters: string): boolean {
  const bare = letters.replace(/[\p{M}\u0640]/gu, '');
  return bare !== '' && /^[وف]?(?:[بك]?ال|لل|[بكل])?$/u.test(bare);
}

/** Prefixes for and; that, when, from; in, as, to, from; and the article. */
function isHebrewPrefix(letters: string): boolean {
  const bare = letters.replace(/\p{M}/gu, '');
  return bare !== '' && /^ו?(?:לכש|כש|מש|ש)?[בכלמ]?ה?$/u.test(bare);
}
