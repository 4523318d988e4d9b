import { Problem } from '../../problems.ts';
import { resolvePeriod, reversedDays } from '../../reports/period.ts';
import type { DayBounds } from '../../reports/period.ts';

/** The period of a request. Throws `invalid_parameter` if its days are not a period. */
export function periodOf(bounds: DayBounds, today: string) {
  const period = resolvePeriod(bounds, today);
  if (typeof period === 'string') throw refuse(period);
  return period;
}

/** Refuses days that end before they begin. Throws `invalid_parameter`. */
export function refuseReversed(bounds: DayBounds): void {
  const fault = reversedDays(bounds);
  if (fault !== undefined) throw refuse(fault);
}

function refuse(message: string): Problem {
  return new Problem('invalid_parameter', 'The period is not valid; `errors` says why.', {
    errors: [{ parameter: 'from', message }],
  });
}
