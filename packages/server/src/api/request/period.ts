import { limits } from '@overheard/contract';
import { Problem } from '../../problems.ts';
import { dayMs, utcDay } from '../../values/utc-day.ts';

/**
 * The period of a request: its days, the days that it leaves out being today and 27 days before the
 * last one. Throws `invalid_parameter` for one that ends before it begins, or is too long.
 */
export function periodOf(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
): { readonly from: string; readonly to: string } {
  const last = to ?? today;
  const first = from ?? utcDay(Date.parse(last) - (limits.periodDays - 1) * dayMs);
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  if (days < 1) throw refuse(`It is after \`to\`, ${last}${to === undefined ? ' (today)' : ''}.`);
  if (days > limits.periodDaysMax) {
    throw refuse(`A period has at most ${limits.periodDaysMax} days; to ${last} it has ${days}.`);
  }
  return { from: first, to: last };
}

/** Refuses days that end before they begin. Throws `invalid_parameter`. */
export function refuseReversed({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): void {
  if (from !== undefined && to !== undefined && from > to)
    throw refuse(`It is after \`to\`, ${to}.`);
}

function refuse(message: string): Problem {
  return new Problem('invalid_parameter', 'The period is not valid; `errors` says why.', {
    errors: [{ parameter: 'from', message }],
  });
}
