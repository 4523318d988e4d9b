import { foldCase } from './fold-case.ts';

const lengthMax = 60;
/** Commas, and what cannot be seen but turns the direction of text; scripts and emoji need the joiners. */
const excluded = /[[\p{Cc}\p{Cf}\u2028\u2029\u{FFFD},]--[\u200C\u200D]]/v;
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--\p{Default_Ignorable_Code_Point}]/v;

/**
 * A tag of prompts in stored form: NFC, trimmed, with single spaces, 1 to 60 characters, one of them
 * visible. Undefined for text that cannot be a tag: commas separate tags in files and forms.
 */
export function parseTag(text: string): string | undefined {
  if (!text.isWellFormed() || excluded.test(text)) return undefined;
  const clean = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  return !visible.test(clean) || Array.from(clean).length > lengthMax ? undefined : clean;
}

/** A tag of the words of any text, as many as fit before `ending`. Empty for text without any. */
export function tagOf(text: string, ending = ''): string {
  const clean = text.toWellFormed().normalize('NFC').split(excluded).join(' ');
  const single = clean.trim().replaceAll(/\s+/g, ' ');
  const start = Array.from(single)
    .slice(0, lengthMax - ending.length)
    .join('');
  return start.trim() + ending;
}

/** The form by which two tags are the same. */
export function tagKey(tag: string): string {
  return foldCase(tag.trim().replaceAll(/\s+/g, ' '));
}
