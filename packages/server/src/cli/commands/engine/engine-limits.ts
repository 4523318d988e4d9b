import { usualLimits } from '../../../collect/ledger/paced-engines.ts';
import type { EngineLimits } from '../../../collect/ledger/paced-engines.ts';
import type { OperatorCaps } from '../../../collect/ledger/operator-caps.ts';
import type { OptionValues } from '../../define/define-command.ts';
import { number, parsedText } from '../../define/options.ts';
import { capOption, readCap, usdOption } from '../../define/usd.ts';

/** Limits of how fast `collect run` asks an engine, and of the cost. */
export const limitOptions = {
  timeout: number('seconds that `collect run` waits for one answer', {
    min: 1,
    max: 600,
    initial: usualLimits.timeoutMs / 1000,
  }),
  perMinute: number('questions a minute, over all processes', {
    min: 1,
    max: 60_000,
    initial: 60_000 / usualLimits.gapMs,
  }),
  bound: usdOption('the most that one reading may cost (default: from prices and limits)'),
};

/** The operator's caps of an engine over all workspaces. */
export const capOptions = {
  capDay: capOption('cap of a UTC day over all workspaces'),
  capMonth: capOption('cap of a UTC month over all workspaces'),
  atOnce: parsedText(
    '<number>',
    'questions open at once, over all processes; none removes the limit',
    {
      parse: (text) =>
        text === 'none' ? text : /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined,
      expected: 'It must be a whole number from 1 to 9999, or none.',
    },
  ),
};

export function readCaps({
  capDay,
  capMonth,
  atOnce,
}: OptionValues<typeof capOptions>): OperatorCaps {
  return { dayUsd: readCap(capDay), monthUsd: readCap(capMonth), openMax: readCap(atOnce) };
}

export function readLimits({
  timeout,
  perMinute,
  bound,
}: OptionValues<typeof limitOptions>): EngineLimits {
  return {
    timeoutMs: timeout * 1000,
    gapMs: Math.round(60_000 / perMinute),
    boundUsd: bound ?? null,
  };
}
