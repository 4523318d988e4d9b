import { neutralText } from './neutral-text.ts';

/** A value in a sentence: neutral and quoted where it is text, and short however long it is. */
export function shortName(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const text = neutralText(value);
  const characters = [...text];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 57).join('')}...` : text);
}
