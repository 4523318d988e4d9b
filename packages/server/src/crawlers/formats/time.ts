const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A number outside these years is not the time of a request. */
const earliestMs = Date.UTC(1995, 0);
const latestMs = Date.UTC(2200, 0);

/**
 * The moment that a log wrote, in milliseconds since 1970, cut: `20/Nov/2026:12:34:56 +0530`,
 * ISO 8601, or a number of seconds, milliseconds, microseconds or nanoseconds. Without a zone it is UTC.
 */
export function parseTime(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? fromNumber(value) : fromText(value);
  return ms !== undefined && ms >= earliestMs && ms < latestMs ? ms : undefined;
}

function fromText(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [digits] = /^\d{9,19}(?=$|\.\d+$)/.exec(value) ?? [];
  // The first 13 digits of micro- and nanoseconds are milliseconds. A double cannot represent them all.
  if (digits !== undefined)
    return fromNumber(Number(digits.length > 14 ? digits.slice(0, 13) : value));
  const bare = value.startsWith('[') && value.endsWith(']') ? value.slice(1, -1) : value;
  return fromNcsa(bare) ?? fromIso(bare);
}

/** The unit follows from the size: seconds have ten digits from 2001 to 2286. */
function fromNumber(value: number): number {
  if (value < 1e11) return Math.floor(Math.round(value * 1e6) / 1e3);
  if (value < 1e14) return Math.floor(value);
  return Math.floor(value < 1e17 ? value / 1e3 : value / 1e6);
}

function fromNcsa(text: string): number | undefined {
  const match =
    /^(\d{1,2})\/([A-Za-z]{3})\/(\d{4})[: ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?: ([+-])(\d{2}):?(\d{2}))?$/.exec(
      text,
    );
  if (match === null) return undefined;
  const [, day, name = '', year, hour, minute, second, fraction, sign] = match;
  const month = months.indexOf(name.toLowerCase());
  const local = utc(year, month, day, hour, minute, second);
  if (month === -1 || local === undefined) return undefined;
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * 60_000;
  return local + milliseconds(fraction) - (sign === '-' ? -offset : offset);
}

function fromIso(text: string): number | undefined {
  const match =
    /^(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i.exec(
      text,
    );
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, written = ''] = match;
  const local = utc(year, Number(month) - 1, day, hour, minute, second);
  if (local === undefined) return undefined;
  const zone = /^([+-])(\d{2}):?(\d{2})$/.exec(written);
  const offset = zone === null ? 0 : (Number(zone[2]) * 60 + Number(zone[3])) * 60_000;
  return local + milliseconds(fraction) - (zone?.[1] === '-' ? -offset : offset);
}

function milliseconds(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/** Undefined for a day, hour or second that does not exist; a leap second is the next one. */
function utc(
  years: string | undefined,
  month: number,
  days: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
): number | undefined {
  const year = Number(years);
  const day = Number(days);
  const hour = Number(hours);
  const minute = Number(minutes);
  const second = Number(seconds);
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const daysMax = month === 1 && isLeap ? 29 : (monthDays[month] ?? 0);
  if (day < 1 || day > daysMax) return undefined;
  return Date.UTC(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000;
}
