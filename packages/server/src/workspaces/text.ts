import { Refusal } from '../refusals.ts';
import type { TextField } from '../refusals.ts';

/** Characters that no name needs and that could forge a line of a log or a terminal's colours. */
const control = /[\p{Cc}\u2028\u2029]/u;

/**
 * Text of one line as it is stored: NFC, outer space cut, inner space single.
 * Throws a `Refusal` for text that is empty, longer than `lengthMax` characters, not well-formed
 * or has control characters.
 */
export function cleanText(
  text: string,
  { field, lengthMax }: { field: TextField; lengthMax: number },
): string {
  if (!text.isWellFormed() || text.includes('\u{FFFD}')) {
    throw new Refusal('text_not_well_formed', { field });
  }
  // Before the outer space is cut: a line end is space too.
  if (control.test(text)) throw new Refusal('text_has_control_characters', { field });
  const clean = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  if (clean === '') throw new Refusal('text_empty', { field });
  if (Array.from(clean).length > lengthMax) {
    throw new Refusal('text_too_long', { field, lengthMax });
  }
  return clean;
}

/** What two texts have in common that count as the same name: NFKC, lower case, single space. */
export function fold(text: string): string {
  // Lower case may leave the normal form: the second pass makes folding twice the same as once.
  const lower = text.normalize('NFKC').toLowerCase().normalize('NFKC');
  // A sigma is another where it ends a word, or is written as a lunate one.
  return lower.replaceAll('ς', 'σ').trim().replaceAll(/\s+/g, ' ');
}
