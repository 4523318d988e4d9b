import { dayMs } from '../../values/time/utc-day.ts';

/** How often a bot comes, by the UTC days on which it came. */
export interface Cadence {
  /** The median number of days from one of its days to the next. */
  readonly usual_days: number;
  readonly last_date: string;
  /** Days from its last one to the last day of the log. */
  readonly silent_days: number;
}

/** With fewer days nobody can say what is usual. */
const daysMin = 5;

/** The cadence of a bot's genuine requests, in order of their days. Null if there are too few days. */
export function cadenceOf(
  days: ReadonlyArray<{ readonly date: string; readonly genuine: number }>,
  until: string,
): Cadence | null {
  const dates = [...new Set(days.filter(({ genuine }) => genuine > 0).map(({ date }) => date))];
  const last = dates.at(-1);
  if (last === undefined || dates.length < daysMin) return null;
  const gaps = dates
    .slice(1)
    .map((date, place) => daysBetween(dates[place] ?? date, date))
    .toSorted((left, right) => left - right);
  const usual = gaps[Math.floor((gaps.length - 1) / 2)] ?? 1;
  return { usual_days: usual, last_date: last, silent_days: daysBetween(last, until) };
}

/** `daily`, `weekly`, `every 3 days`. */
export function cadenceWords({ usual_days: days }: Cadence): string {
  if (days === 1) return 'daily';
  return days === 7 ? 'weekly' : `every ${days} days`;
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}
