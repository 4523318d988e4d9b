import { createMemo } from '../memo.ts';
import { parseDay, parseMoment } from './moment.ts';
import { dayMs } from './utc-day.ts';

/** A time without a zone, interpreted in a given zone. */
export type LocalMoment =
  | { readonly moment: string; readonly isAmbiguous: boolean }
  /** Whether the zone's clocks skip this time. */
  | 'skipped';

/**
 * A date and time without a zone, such as `2026-11-18 09:30`, as a moment in normal form. A time that a
 * zone's clocks show twice is the earlier of the two. A day alone is that UTC day, whatever the zone:
 * figures are counted by UTC day. Undefined for any other text, also with a zone.
 */
export function parseLocalMoment(text: string, timeZone: string): LocalMoment | undefined {
  const day = parseDay(text);
  if (day !== undefined) return { moment: `${day}T00:00:00.000Z`, isAmbiguous: false };
  if (!localForm.test(text)) return undefined;
  const wall = parseMoment(`${text}Z`);
  if (wall === undefined) return undefined;
  const wallMs = Date.parse(wall);
  const offsets = [wallMs - dayMs, wallMs + dayMs].map((ms) => offsetAt(ms, timeZone));
  const possible = [...new Set(offsets)]
    .filter((offset) => offsetAt(wallMs - offset, timeZone) === offset)
    .map((offset) => wallMs - offset);
  if (possible.length === 0) return 'skipped';
  // Parse the result again, because its year in UTC may be out of range.
  const moment = parseMoment(new Date(Math.min(...possible)).toISOString());
  return moment === undefined ? undefined : { moment, isAmbiguous: possible.length > 1 };
}

/** How a date is written that does not begin with its year. */
export const dateOrders = ['day_first', 'month_first'] as const;
export type DateOrder = (typeof dateOrders)[number];

const ordered =
  /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:,?[T ](\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?)?$/i;

/**
 * Writes a date such as `20.11.2026 09:14` or `11/20/2026, 9:14 AM` with its year first, as
 * `parseLocalMoment` reads it. Other texts stay as they are.
 */
export function yearFirst(text: string, order: DateOrder): string {
  const parts = ordered.exec(text);
  if (parts === null) return text;
  const [, first = '', second = '', year = '', hour, minute = '', seconds = '00', half] = parts;
  const [day, month] = order === 'day_first' ? [first, second] : [second, first];
  const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  if (hour === undefined) return date;
  return `${date} ${twoDigits(String(hourOf(Number(hour), half)))}:${minute}:${seconds}`;
}

/**
 * The order in which dates are written that do not begin with their year. Undefined if there are
 * none. Where days and months cannot be told apart, dots mean that the day is first.
 */
export function guessDateOrder(texts: readonly string[]): DateOrder | undefined {
  const dates = texts.flatMap((text) => {
    const [whole = '', first, second] = ordered.exec(text.trim()) ?? [];
    return whole === '' ? [] : [{ first: Number(first), second: Number(second), whole }];
  });
  if (dates.length === 0) return undefined;
  if (dates.some(({ first }) => first > 12)) return 'day_first';
  if (dates.some(({ second }) => second > 12)) return 'month_first';
  return dates.some(({ whole }) => whole.includes('.')) ? 'day_first' : 'month_first';
}

/** The hour of 24; 99, which no date has, for an hour that no clock of 12 shows. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined || hour < 1 || hour > 12) return half === undefined ? hour : 99;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function twoDigits(number: string): string {
  return number.padStart(2, '0');
}

const localForm = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,18})?)?$/;

/** Whether the text names a time zone that this Node knows, such as `Europe/Berlin` or `UTC`. */
export function isTimeZone(text: string): boolean {
  try {
    return formatterOf(text).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const formatterOf = createMemo(
  (timeZone: string) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
);

/** Milliseconds that a zone's clocks are ahead of UTC. */
function offsetAt(ms: number, timeZone: string): number {
  const parts = formatterOf(timeZone).formatToParts(ms);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(name) ?? [];
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}
