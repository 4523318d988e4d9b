import { CommandError } from '../problems.ts';
import { quoted } from './sentences.ts';

/** Checks the name of a workspace on the command line. Throws a `CommandError` (2) for another form. */
export function parseSlug(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(text)) return text;
  throw new CommandError(
    `${quoted(text)} is no slug: use 1 to 63 lower-case letters, digits and hyphens, beginning with a letter or digit.`,
    { exitCode: 2 },
  );
}
