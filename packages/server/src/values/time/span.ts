import { dayMs } from './utc-day.ts';

const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: dayMs,
  w: 7 * dayMs,
  y: 365 * dayMs,
};

/**
 * A time span in milliseconds: a whole number of minutes, hours, days, weeks or years of 365 days,
 * such as `30m`, `12h`, `7d`, `4w`, `1y`. Undefined for any other text.
 */
export function parseSpan(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6})([mhdwy])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unitMs[unit] ?? Number.NaN);
}
