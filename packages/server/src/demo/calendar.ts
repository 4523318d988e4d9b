import { dayMs } from '../values/time/utc-day.ts';

/** Two periods of 28 days, so that the last one can be compared with the one before. */
export const halfDays = 28;
export const days = 2 * halfDays;

/**
 * A moment of a day in normal form: 0 is the first day, `days - 1` is today, UTC. `share` is 0 at its
 * beginning and below 1 at its end. Today ends now, so that nothing is ahead of the clock.
 */
export type MomentOf = (day: number, share: number) => string;

export function createCalendar(nowMs: number): MomentOf {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  return function momentOf(day, share) {
    const startMs = todayMs - (days - 1 - day) * dayMs;
    const lengthMs = day === days - 1 ? nowMs - todayMs : dayMs;
    return new Date(startMs + Math.floor(lengthMs * share)).toISOString();
  };
}
