import { resolvePeriod, reversedDays } from '../../reports/period.ts';
import type { DayBounds } from '../../reports/period.ts';
import type { Period } from '../../reports/shares/windows.ts';
import { addDays, utcDay } from '../../values/time/utc-day.ts';
import { UsageError } from '../terminal/command-error.ts';
import type { Io } from '../terminal/io.ts';

interface PeriodOptions extends DayBounds {
  readonly days: number | undefined;
}

/** Reads the period from options. Throws a `UsageError` if it is not valid. */
export function readPeriod(typed: PeriodOptions, { clock }: Io): Period {
  const period = resolvePeriod(readDays(typed, { clock }), utcDay(clock()));
  if (typeof period === 'object') return period;
  throw new UsageError(`The period is not valid. ${period} Change --from or --to.`);
}

/** Reads the first and the last day from options. A missing day is undefined. */
export function readDays(
  { from, to, days }: PeriodOptions,
  { clock }: Pick<Io, 'clock'>,
): DayBounds {
  if (days !== undefined && from !== undefined) {
    throw new UsageError('Give the first day by --from or by --days, not both.');
  }
  const fault = reversedDays({ from, to });
  if (fault !== undefined) throw new UsageError(`--from ${from}: ${fault}`);
  if (days === undefined) return { from, to };
  const last = to ?? utcDay(clock());
  return { from: addDays(last, 1 - days), to: last };
}
