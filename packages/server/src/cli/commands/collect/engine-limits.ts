import { usualLimits } from '../../../collect/ledger/paced-engines.ts';
import type { EngineLimits } from '../../../collect/ledger/paced-engines.ts';
import type { OptionValues } from '../../define/define-command.ts';
import { number } from '../../define/options.ts';
import { usdOption } from '../../define/usd.ts';

/** How fast `collect run` asks an engine, and for how much. */
export const limitOptions = {
  timeout: number('seconds that `collect run` waits for one answer', {
    min: 1,
    max: 600,
    initial: usualLimits.timeoutMs / 1000,
  }),
  perMinute: number('questions a minute, of all processes together', {
    min: 1,
    max: 60_000,
    initial: 60_000 / usualLimits.gapMs,
  }),
  bound: usdOption('what one reading may cost at most (default: from prices and limits)'),
};

export function givenLimits({
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
