import { withoutKeys } from './without-keys.ts';

/**
 * What a reader does not see and a model reads: controls (but tab and line feed), marks that turn
 * the direction of writing, and whatever is drawn as nothing, such as fillers, tag characters and
 * the variation selectors that carry hidden text. The joiners of emoji and of Persian and Indic
 * scripts stay, and the selector of how an emoji is drawn behind one.
 */
const invisible =
  /[^\P{Cc}\t\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji})(?:\ufe0e|\ufe0f)/gu;

/**
 * Foreign text with each invisible character spelt out, as in `<U+202E>`, lone surrogates replaced,
 * and keys hidden: whoever asked for a page with a key in its address has left it in a row.
 */
export function neutralText(text: string): string {
  return withoutKeys(text.toWellFormed().replace(invisible, spellOut));
}

function spellOut(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
