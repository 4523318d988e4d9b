import type { OptionSpec } from '../../config.ts';
import { parseUsd } from '../../values/usd.ts';
import { parsedText, requiredParsedText } from './options.ts';

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
    parse: (text) => (text === 'none' ? text : parseUsd(text)),
    expected: 'It must be an amount in US dollars such as 5 or 0.25, or none.',
  });
}

/** The cap from an option: null removes it, undefined leaves it as it is. */
export function readCap<Value>(cap: Value | 'none' | undefined): Value | null | undefined {
  return cap === 'none' ? null : cap;
}
