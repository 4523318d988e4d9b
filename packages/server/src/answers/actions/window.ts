import { dayMs, utcDay } from '../../values/utc-day.ts';

/** UTC days, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The last `days` UTC days up to and including that of `nowMs`, and as many before them. */
export function windowsAt(nowMs: number, days: number): { current: Days; before: Days } {
  const day = (back: number): string => utcDay(nowMs - back * dayMs);
  return {
    current: { from: day(days - 1), to: day(0) },
    before: { from: day(2 * days - 1), to: day(days) },
  };
}
