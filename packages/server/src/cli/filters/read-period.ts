import { resolvePeriod, reversedDays } from '../../reports/period.ts';
import type { GivenDays } from '../../reports/period.ts';
import type { Period } from '../../reports/shares/windows.ts';
import { addDays, utcDay } from '../../values/utc-day.ts';
import { UsageError } from '../terminal/command-error.ts';
import type { Io } from '../terminal/io.ts';

interface TypedDays extends GivenDays {
  readonly days: number | undefined;
}

/** The period that options name. Throws a `UsageError` for one that is none. */
export function givenPeriod(typed: TypedDays, { clock }: Io): Period {
  const period = resolvePeriod(firstAndLast(typed, { clock }), utcDay(clock()));
  if (typeof period === 'object') return period;
  throw new UsageError(`The period is not valid. ${period} Change --from or --to.`);
}

/** The first and the last day that options name; undefined for one that they leave open. */
export function firstAndLast(
  { from, to, days }: TypedDays,
  { clock }: Pick<Io, 'clock'>,
): GivenDays {
  if (days !== undefined && from !== undefined) {
    throw new UsageError('Give the first day by --from or by --days, not by both.');
  }
  const fault = reversedDays({ from, to });
  if (fault !== undefined) throw new UsageError(`--from ${from}: ${fault}`);
  if (days === undefined) return { from, to };
  const last = to ?? utcDay(clock());
  return { from: addDays(last, 1 - days), to: last };
}
