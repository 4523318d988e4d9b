import { limits } from '@overheard/contract';
import { dayMs, utcDay } from '../values/utc-day.ts';

/** The days that the demo covers: those of `scores`, today included, UTC. */
export const days = limits.scoresDays;

/** The days of the demo, ending with the clock's. */
export interface Calendar {
  /** `2026-11-20` of a day: 0 is the first, `days - 1` today. */
  date(day: number): string;
  /**
   * A moment of a day in normal form; `share` is 0 at its beginning and below 1 at its end. Today
   * ends now, so that nothing is ahead of the clock. Days below 0 are before the demo.
   */
  moment(day: number, share: number): string;
}

export function createCalendar(nowMs: number): Calendar {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const startOf = (day: number): number => todayMs - (days - 1 - day) * dayMs;

  return {
    date: (day) => utcDay(startOf(day)),
    moment(day, share) {
      const lengthMs = day === days - 1 ? nowMs - todayMs : dayMs;
      return new Date(startOf(day) + Math.floor(lengthMs * share)).toISOString();
    },
  };
}
