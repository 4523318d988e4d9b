import { Refusal } from '../refusals.ts';
import type { TextField } from '../refusals/workspaces.ts';

/** Characters that no name needs and that could forge a line of a log or a terminal's colours. */
const control = /[\p{Cc}\u2028\u2029]/u;

/**
 * Brings a line of text into stored form: NFC, trimmed, with single spaces. Throws a `Refusal` for
 * text that is empty, longer than `lengthMax` characters, not well-formed or has control
 * characters.
 */
export function cleanText(
  text: string,
  { field, lengthMax }: { field: TextField; lengthMax: number },
): string {
  if (!text.isWellFormed() || text.includes('\u{FFFD}')) {
    throw new Refusal('text_not_well_formed', { field });
  }
  // Check this before trimming, because line ends are white space, too.
  if (control.test(text)) throw new Refusal('text_has_control_characters', { field });
  const clean = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  if (clean === '') throw new Refusal('text_empty', { field });
  if (Array.from(clean).length > lengthMax) {
    throw new Refusal('text_too_long', { field, lengthMax });
  }
  return clean;
}

/** The normal form by which two texts are the same name: NFKC, lower case, single spaces. */
export function fold(text: string): string {
  // Lower case may not be in normal form. Normalise again, so that folding twice gives the same as
  // once.
  const lower = text.normalize('NFKC').toLowerCase().normalize('NFKC');
  // Treat a final or lunate sigma like any other sigma.
  return lower.replaceAll('ς', 'σ').trim().replaceAll(/\s+/g, ' ');
}
