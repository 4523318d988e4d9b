import { withoutKeys } from './without-keys.ts';

/** Scripts whose words contain joiners: Persian, Arabic and the scripts of India among them. */
const joining =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}]';

/** A joiner between two letters or marks of such a script, or between the parts of an emoji. */
const usedJoiner = `(?<=${joining})[\\u200c\\u200d](?=${joining})|(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})`;
/** The selector of how an emoji or a keycap is drawn. */
const usedSelector = '(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]|(?<=[0-9#*])\\ufe0f(?=\\u20e3)';

/**
 * What a reader does not see and a model reads: controls (but tab and line feed), marks that turn
 * the direction of writing, whatever is drawn as nothing, such as fillers, tag characters and the
 * selectors that carry hidden text, and characters without a meaning: of private use, and none at all.
 */
const invisible =
  '[\\p{Cc}--[\\t\\n]]|[\\p{Bidi_C}\\p{Zl}\\p{Zp}\\p{Co}\\p{NChar}\\p{DI}\\u2800\\ufff9-\\ufffb]';

/** The beginning of a tag of a host or a model, such as `</result>` or `<|end|>`; ours is left. */
const tag = '<(?!U\\+[0-9A-F]{4,6}>)(?=[\\p{L}\\/\\|!?])';

const acting = new RegExp(`(?<used>${usedJoiner}|${usedSelector})|${invisible}|${tag}`, 'gv');

/**
 * Foreign text with each invisible character and each `<` of a tag spelt out, as in `<U+202E>`, lone
 * surrogates replaced, and keys hidden: a request for a page with a key in its address leaves the key
 * in a row. Positions in rows refer to the text as it was before.
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
