import { addDays, dayMs } from '../../values/time/utc-day.ts';

/** UTC days, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** A period, and the equal one before that it is compared with. */
export interface ReportWindow extends Period {
  readonly before: Period;
}

/**
 * Splits a period into windows, oldest first: the period itself, or blocks of a given number of
 * days, counted back from its end.
 */
export function windowsOf(period: Period, blockDays: number | undefined): ReportWindow[] {
  if (blockDays === undefined) return [withBefore(period)];
  const windows: ReportWindow[] = [];
  for (let { to } = period; to >= period.from; to = addDays(to, -blockDays)) {
    const first = addDays(to, 1 - blockDays);
    windows.unshift(withBefore({ from: first < period.from ? period.from : first, to }));
  }
  return windows;
}

function withBefore({ from, to }: Period): ReportWindow {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return { from, to, before: { from: addDays(from, -days), to: addDays(from, -1) } };
}
