import { integer, InvalidValue } from '../../config.ts';
import type { OptionSpec } from '../../config.ts';

/** An option without a value. */
export function flag(summary: string): OptionSpec<boolean> {
  return { summary, absent: false };
}

export function text(value: string, summary: string): OptionSpec<string | undefined> {
  return { value, summary };
}

export function requiredText(value: string, summary: string): OptionSpec<string> {
  return { value, summary, isRequired: true };
}

/** One of several words. */
export function choice<const Word extends string>(
  value: string,
  choices: readonly Word[],
  summary: string,
): OptionSpec<Word | undefined> {
  return { value, choices, summary };
}

/** Several values, after one flag (`<id...>`) or each after its own (`<text>`). */
export function list(value: string, summary: string): OptionSpec<readonly string[]> {
  if (value.endsWith('...>')) return { value, summary, absent: [] };
  return {
    value,
    summary: `${summary} (repeatable)`,
    absent: [],
    parse: (word, previous) => [...(Array.isArray(previous) ? previous.map(String) : []), word],
  };
}

/** A whole number in bounds. */
export function number(
  summary: string,
  { min, max, initial }: { min: number; max: number; initial: number },
): OptionSpec<number> {
  return { value: '<number>', summary, default: initial, parse: integer({ min, max }) };
}

interface Parser<Value> {
  readonly parse: (text: string) => Value | undefined;
  /** The sentence that refuses a value for which `parse` returns undefined. */
  readonly expected: string;
}

export function parsedText<Value>(
  value: string,
  summary: string,
  parser: Parser<Value>,
): OptionSpec<Value | undefined> {
  return { value, summary, parse: parseStrictly(parser) };
}

export function requiredParsedText<Value>(
  value: string,
  summary: string,
  parser: Parser<Value>,
): OptionSpec<Value> {
  return { value, summary, parse: parseStrictly(parser), isRequired: true };
}

function parseStrictly<Value>({ parse, expected }: Parser<Value>): (word: string) => Value {
  return (word) => {
    const result = parse(word);
    if (result !== undefined) return result;
    throw new InvalidValue(expected);
  };
}

/** For commands that import rows of engines. */
export const newEngine: OptionSpec<boolean> = flag(
  'accept engines that look like a misspelling of a known one',
);
