import { CommandError } from '../problems.ts';
import { quoted } from './sentences.ts';
import { cleanText, fold } from './text.ts';

/**
 * How an alias is looked for: `default` in any case, `exact` as it is written, `pattern` as a
 * regular expression.
 */
export type AliasMatch = 'default' | 'exact' | 'pattern';

export interface Alias {
  readonly alias: string;
  readonly match: AliasMatch;
}

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
  const expression = compile(pattern);
  if (expression.test('')) {
    throw new CommandError(
      `The alias pattern ${quoted(pattern)} matches nothing at all, and so everywhere. Let it need at least one character.`,
      { exitCode: 2 },
    );
  }
  return pattern;
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    throw new CommandError(
      `The alias pattern ${quoted(pattern)} is no regular expression (JavaScript, with the u flag).`,
      { exitCode: 2, cause: error },
    );
  }
}
