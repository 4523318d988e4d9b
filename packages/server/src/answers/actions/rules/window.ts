import { dayMs, endOfDay, startOfDay, utcDay } from '../../../values/time/utc-day.ts';
import type { Span } from './evidence.ts';

/** UTC days, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Facts about the window that every action needs. */
export interface Window {
  readonly current: Days;
  readonly before: Days;
  readonly brand: string;
  /** Names of subjects by id, archived ones too. */
  readonly names: ReadonlyMap<string, string>;
  /** The mean number of counted runs of the prompts that have enough of them. */
  readonly runsUsual: number;
}

/** The last `days` UTC days, including that of `nowMs`, and the same number of days before them. */
export function windowsAt(nowMs: number, days: number): { current: Days; before: Days } {
  const day = (back: number): string => utcDay(nowMs - back * dayMs);
  return {
    current: { from: day(days - 1), to: day(0) },
    before: { from: day(2 * days - 1), to: day(days) },
  };
}

/** Turns days into moments. */
export function spanOf({ from, to }: Days): Span {
  return { from: startOfDay(from), before: endOfDay(to) };
}
