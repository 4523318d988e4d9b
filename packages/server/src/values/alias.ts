import { RE2JS } from 're2js';

/**
 * How an alias is compared: folded, exactly as written, or as a regular expression (RE2 syntax).
 */
export const aliasMatches = ['default', 'exact', 'pattern'] as const;
export type AliasMatch = (typeof aliasMatches)[number];

/** A spelling by which a subject is found. */
export interface Alias {
  readonly alias: string;
  readonly match: AliasMatch;
}

/** Finds every match of an alias pattern that is not empty; offsets in code units. */
export type FindPattern = (text: string, onMatch: (start: number, end: number) => void) => void;

/**
 * Compiles an alias that is a regular expression. RE2's engine is linear in the text whatever the
 * pattern, so that no pattern can stall a server. Throws an `Error` for patterns that RE2 cannot
 * express, such as look-arounds and back references. https://github.com/google/re2/wiki/Syntax
 */
export function compilePattern(pattern: string): FindPattern {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return function findPattern(text, onMatch) {
    const matcher = compiled.matcher(text);
    while (matcher.find()) {
      if (matcher.end() > matcher.start()) onMatch(matcher.start(), matcher.end());
    }
  };
}

/**
 * Whether a pattern matches the empty text, and so matches everywhere. Throws as `compilePattern`
 * does.
 */
export function matchesEmpty(pattern: string): boolean {
  return RE2JS.compile(RE2JS.translateRegExp(pattern)).matcher('').find();
}
