const wordlike = /[\p{L}\p{Nl}\p{Nd}\p{M}]/u;
const dictionary =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\uff70]/u;
const katakana = /[\p{Script=Katakana}\u30fc\uff70]/u;
const hangul = /\p{Script=Hangul}/u;
// The zero-width space is left out, because it separates words.
const invisible = /[\p{Default_Ignorable_Code_Point}--\u200b]/v;

/** A letter, digit or mark, which words consist of (the letters and digits of UAX #29). */
export function isWordlike(character: string): boolean {
  return wordlike.test(character);
}

/** A script that is written without spaces: only a dictionary knows where its words end. */
export function isDictionaryScript(character: string): boolean {
  return dictionary.test(character);
}

export function isKatakana(character: string): boolean {
  return katakana.test(character);
}

export function isHangul(character: string): boolean {
  return hangul.test(character);
}

/** Invisible characters: direction marks, joiners and soft hyphens. */
export function isInvisible(character: string): boolean {
  return invisible.test(character);
}

/** The character at a code unit offset; empty past the end. */
export function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** The character that ends before a code unit offset; empty at the beginning. */
export function characterBefore(text: string, at: number): string {
  if (at <= 0) return '';
  const unit = text.charCodeAt(at - 1);
  const isTrail = unit >= 0xdc00 && unit <= 0xdfff && at >= 2;
  return isTrail ? characterAt(text, at - 2) : characterAt(text, at - 1);
}
