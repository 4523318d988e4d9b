import { RE2JS } from 're2js';
import { CommandError } from '../../problems.ts';

/** Finds every match of an alias pattern; offsets in code units. */
export type FindPattern = (text: string, found: (start: number, end: number) => void) => void;

/**
 * Compiles an alias that is a regular expression. RE2's engine is linear in the text whatever the
 * pattern: none can stall a server. What it cannot express (looking around, back references) is
 * refused with a `CommandError`. https://github.com/google/re2/wiki/Syntax
 */
export function compilePattern(pattern: string): FindPattern {
  const compiled = compile(pattern);
  return function findPattern(text, found) {
    const matcher = compiled.matcher(text);
    while (matcher.find()) {
      if (matcher.end() > matcher.start()) found(matcher.start(), matcher.end());
    }
  };
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    throw new CommandError(
      `The alias pattern ${JSON.stringify(pattern)} cannot be used: it must be one that is matched in linear time (RE2 syntax: no looking around, no back references).`,
      { exitCode: 2, cause: error },
    );
  }
}
