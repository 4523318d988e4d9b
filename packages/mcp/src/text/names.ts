import { neutralText } from './neutral-text.ts';

/** A value in a list: as it is where it is one short word, else as `shortName` has it. */
export function listName(value: string): string {
  return /^[\w-]{1,35}$/.test(value) ? value : shortName(value);
}

/** A value in a sentence: text is made neutral and quoted, and a long value is cut. */
export function shortName(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const text = neutralText(value);
  const characters = [...text];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 57).join('')}...` : text);
}
