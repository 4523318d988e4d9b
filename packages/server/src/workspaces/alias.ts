import { CommandError } from '../problems.ts';
import { matchesEmpty } from '../values/alias.ts';
import type { Alias } from '../values/alias.ts';
import { quoted } from './sentences.ts';
import { cleanText, fold } from './text.ts';

export const nameLengthMax = 200;
const patternLengthMax = 500;

/** An alias as it is stored. Throws a `CommandError` (2) for text that cannot be one. */
export function parseAlias({ alias, match }: Alias): Alias {
  if (match === 'pattern') return { alias: parsePattern(alias), match };
  return { alias: cleanText(alias, { what: 'An alias', lengthMax: nameLengthMax }), match };
}

/** What makes an alias unique in its workspace. A pattern is compared as it is written: case means something in it. */
export function aliasKey({ alias, match }: Alias): string {
  return match === 'pattern' ? alias : fold(alias);
}

function parsePattern(text: string): string {
  const pattern = cleanText(text, { what: 'An alias pattern', lengthMax: patternLengthMax });
  if (isEmptyMatch(pattern)) {
    throw new CommandError(
      `The alias pattern ${quoted(pattern)} matches nothing at all, and so everywhere. Let it need at least one character.`,
      { exitCode: 2 },
    );
  }
  return pattern;
}

function isEmptyMatch(pattern: string): boolean {
  try {
    return matchesEmpty(pattern);
  } catch (error) {
    throw new CommandError(
      `The alias pattern ${quoted(pattern)} is not a regular expression in RE2 syntax, which matches in linear time: no looking around, no back references.`,
      { exitCode: 2, cause: error },
    );
  }
}
