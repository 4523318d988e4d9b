import { limits } from '@overheard/contract';
import { addDays, dayMs } from '../values/time/utc-day.ts';
import type { Period } from './shares/windows.ts';

/** The first and the last day as they were given. */
export interface DayBounds {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The period of a report, or a sentence about what is wrong with its first day. The last day is today
 * unless it is given, the first one 27 days before the last one.
 */
export function resolvePeriod({ from, to }: DayBounds, today: string): Period | string {
  const last = to ?? today;
  const first = from ?? addDays(last, 1 - limits.periodDays);
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  if (days > limits.periodDaysMax) {
    return `A period has at most ${limits.periodDaysMax} days; to ${last} it has ${days}.`;
  }
  const fault = reversedDays({ from: first, to: last });
  if (fault === undefined) return { from: first, to: last };
  return to === undefined ? `It is after the last day, ${last} (today).` : fault;
}

/** A sentence about days that end before they begin. */
export function reversedDays({ from, to }: DayBounds): string | undefined {
  if (from === undefined || to === undefined || from <= to) return undefined;
  return `It is after the last day, ${to}.`;
}
