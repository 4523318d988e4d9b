import { httpUrl, integer, InvalidValue, settings } from '../../config.ts';
import type { OptionSpec, Setting } from '../../config.ts';
import { parseUsd } from '../../values/usd.ts';
import type { Alias } from '../../values/alias.ts';

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

const parser = {
  parse: parseUsd,
  expected: 'It must be an amount in US dollars such as 5 or 0.25.',
};

/** An amount in US dollars, to the millionth. */
export function usdOption(summary: string): OptionSpec<number | undefined> {
  return parsedText('<usd>', summary, parser);
}

export function requiredUsd(summary: string): OptionSpec<number> {
  return requiredParsedText('<usd>', summary, parser);
}

/** Like `usdOption`, but `none` removes a cap. */
export function capOption(summary: string): OptionSpec<number | 'none' | undefined> {
  return parsedText('<usd>', `${summary}; none lifts it`, {
    parse: (typed) => (typed === 'none' ? typed : parseUsd(typed)),
    expected: 'It must be an amount in US dollars such as 5 or 0.25, or none.',
  });
}

/** The cap from an option: null removes it, undefined leaves it as it is. */
export function readCap<Value>(cap: Value | 'none' | undefined): Value | null | undefined {
  return cap === 'none' ? null : cap;
}

const { host, port } = settings;

/**
 * `--public-url` for commands that print an address of a server, which need not run. The default is
 * the usual address.
 */
export const serverAddress: Setting<string> = {
  isSetting: true,
  value: '<url>',
  summary: 'address under which clients reach the server',
  default: `http://${host.default}:${port.default}`,
  parse: httpUrl,
};

/** Options for the words of a subject: aliases of three kinds, domains and owned paths. */
export const subjectOptions = {
  alias: list('<text>', 'another name, found in any case'),
  aliasExact: list('<text>', 'another name, found only as it is written'),
  aliasPattern: list('<regexp>', 'a regular expression, in the syntax of RE2'),
  domain: list('<name>', 'a domain, or an address on it'),
  path: list('<address>', 'its path on a shared site, such as github.com/acme'),
};

/** The aliases of three lists with their kinds. */
export function aliasesOf({
  alias,
  aliasExact,
  aliasPattern,
}: {
  alias: readonly string[];
  aliasExact: readonly string[];
  aliasPattern: readonly string[];
}): Alias[] {
  return [
    ...alias.map((each): Alias => ({ alias: each, match: 'default' })),
    ...aliasExact.map((each): Alias => ({ alias: each, match: 'exact' })),
    ...aliasPattern.map((each): Alias => ({ alias: each, match: 'pattern' })),
  ];
}
