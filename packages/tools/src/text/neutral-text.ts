import { withoutKeys } from './without-keys.ts';

/** Scripts whose words contain joiners: Persian, Arabic and the scripts of India among them. */
const joining =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}]';

/** A joiner between two letters or marks of such a script, or between the parts of an emoji. */
const usedJoiner = `(?<=${joining})[\\u200c\\u200d](?=${joining})|(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})`;
/** The selector that decides how an emoji or a keycap is drawn. */
const usedSelector = '(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]|(?<=[0-9#*])\\ufe0f(?=\\u20e3)';

/**
 * Characters that a reader does not see but a model reads: controls (except tab and line feed),
 * marks that change the direction of writing, characters that are drawn as nothing, such as
 * fillers, tag characters and selectors that carry hidden text, and characters of private use or
 * without an assigned meaning.
 */
const invisible =
  '[\\p{Cc}--[\\t\\n]]|[\\p{Bidi_C}\\p{Zl}\\p{Zp}\\p{Co}\\p{NChar}\\p{DI}\\u2800\\ufff9-\\ufffb]';

/**
 * The beginning of a tag that a host or a model may act on, such as `</result>` or `<|end|>`. Our
 * own `<U+202E>` is excluded.
 */
const tag = '<(?!U\\+[0-9A-F]{4,6}>)(?=[\\p{L}\\/\\|!?])';

const acting = new RegExp(`(?<used>${usedJoiner}|${usedSelector})|${invisible}|${tag}`, 'gv');

/**
 * Foreign text with each invisible character and each `<` of a tag spelt out, as in `<U+202E>`,
 * lone surrogates replaced, and keys hidden, because a request for an address with a key leaves the
 * key in a row. Positions in rows refer to the original text.
 */
export function neutralText(text: string): string {
  // Most texts have nothing to replace.
  if (!/[^\t\n -;=-~]/.test(text)) return withoutKeys(text);
  return withoutKeys(text.toWellFormed().replace(acting, spellOut));
}

function spellOut(character: string, used: string | undefined): string {
  if (used !== undefined) return character;
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
