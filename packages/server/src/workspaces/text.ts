import { CommandError } from '../problems.ts';

/** Characters that no name needs and that could forge a line of a log or a terminal's colours. */
const control = /[\p{Cc}\u2028\u2029]/u;

/**
 * Text of one line as it is stored: NFC, outer space cut, inner space single.
 * Throws a `CommandError` for text that is empty, longer than `lengthMax` characters, not
 * well-formed or has control characters; `what` begins the sentence, such as `The name`.
 */
export function cleanText(
  text: string,
  { what, lengthMax }: { what: string; lengthMax: number },
): string {
  if (!text.isWellFormed() || text.includes('\u{FFFD}')) {
    throw wrong(`${what} is not well-formed text: was it converted from another encoding?`);
  }
  // Before the outer space is cut: a line end is space too.
  if (control.test(text)) throw wrong(`${what} must not have line ends or control characters.`);
  const clean = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  if (clean === '') throw wrong(`${what} must not be empty.`);
  if (Array.from(clean).length > lengthMax) {
    throw wrong(`${what} must not be longer than ${lengthMax} characters.`);
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

function wrong(message: string): CommandError {
  return new CommandError(message, { exitCode: 2 });
}
