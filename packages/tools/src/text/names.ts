import { neutralText } from './neutral-text.ts';

/** A value in a list: unchanged if it is one short word, otherwise as `shortName` writes it. */
export function listName(value: string): string {
  return /^[\w-]{1,35}$/.test(value) ? value : shortName(value);
}

/** A value in a sentence. Text is neutralised and quoted, and a long value is cut. */
export function shortName(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const text = neutralText(value);
  const characters = [...text];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 57).join('')}...` : text);
}
