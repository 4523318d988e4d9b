import { foldCase } from './fold-case.ts';

const lengthMax = 60;

/**
 * A tag of prompts in stored form: NFC, trimmed, with single spaces, 1 to 60 characters. Undefined
 * for text that cannot be a tag: commas separate tags in files and forms.
 */
export function parseTag(text: string): string | undefined {
  if (!text.isWellFormed() || /[\p{Cc}\u2028\u2029\u{FFFD},]/u.test(text)) return undefined;
  const clean = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  return clean === '' || Array.from(clean).length > lengthMax ? undefined : clean;
}

/** The form by which two tags are the same. */
export function tagKey(tag: string): string {
  return foldCase(tag.trim().replaceAll(/\s+/g, ' '));
}
