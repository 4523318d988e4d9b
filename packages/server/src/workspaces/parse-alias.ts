import { Refusal } from '../refusals.ts';
import { matchesEmpty } from '../values/alias.ts';
import type { Alias } from '../values/alias.ts';
import { cleanText, fold } from './text.ts';

export const nameLengthMax = 200;
const patternLengthMax = 500;

/** Brings an alias into stored form. Throws a `Refusal` for text that cannot be an alias. */
export function parseAlias({ alias, match }: Alias): Alias {
  if (match === 'pattern') return { alias: parsePattern(alias), match };
  return { alias: cleanText(alias, { field: 'alias', lengthMax: nameLengthMax }), match };
}

/**
 * The unique form of an alias in its workspace. A pattern is compared exactly, because its case
 * matters.
 */
export function aliasKey({ alias, match }: Alias): string {
  return match === 'pattern' ? alias : fold(alias);
}

function parsePattern(text: string): string {
  const pattern = cleanText(text, { field: 'alias_pattern', lengthMax: patternLengthMax });
  if (isEmptyMatch(pattern)) throw new Refusal('alias_pattern_matches_nothing', { pattern });
  return pattern;
}

function isEmptyMatch(pattern: string): boolean {
  try {
    return matchesEmpty(pattern);
  } catch (error) {
    throw new Refusal('alias_pattern_invalid', { pattern }, { cause: error });
  }
}
