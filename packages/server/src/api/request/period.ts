import { Problem } from '../../problems.ts';
import { resolvePeriod, reversedDays } from '../../reports/period.ts';
import type { GivenDays } from '../../reports/period.ts';

/** The period of a request. Throws `invalid_parameter` for one that is none. */
export function periodOf(given: GivenDays, today: string) {
  const period = resolvePeriod(given, today);
  if (typeof period === 'string') throw refuse(period);
  return period;
}

/** Refuses days that end before they begin. Throws `invalid_parameter`. */
export function refuseReversed(given: GivenDays): void {
  const fault = reversedDays(given);
  if (fault !== undefined) throw refuse(fault);
}

function refuse(message: string): Problem {
  return new Problem('invalid_parameter', 'The period is not valid; `errors` says why.', {
    errors: [{ parameter: 'from', message }],
  });
}
