const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

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

/** The unit follows from the size: seconds have ten digits from 2001 to 2286. */
function fromNumber(value: number): number {
  if (value < 1e11) return Math.floor(Math.round(value * 1e6) / 1e3);
  if (value < 1e14) return Math.floor(value);
  return Math.floor(value < 1e17 ? value / 1e3 : value / 1e6);
}

/** A day as NCSA or as ISO 8601 writes it, the time of day, and perhaps a zone. */
const dateTime =
  /^(?:(\d{1,2})\/([a-z]{3})\/(\d{4})[: ]|(\d{4})[-/](\d\d)[-/](\d\d)[t ])(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))? ?(?:z|utc|([+-])(\d\d):?(\d\d))?$/i;

/** Undefined for a day, hour or second that does not exist. A leap second is the next second. */
function fromText(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [digits] = /^\d{9,19}(?=$|\.\d+$)/.exec(value) ?? [];
  // The first 13 digits of micro- and nanoseconds are milliseconds. A double cannot represent them all.
  if (digits !== undefined)
    return fromNumber(Number(digits.length > 14 ? digits.slice(0, 13) : value));
  const bare = value.startsWith('[') && value.endsWith(']') ? value.slice(1, -1) : value;
  const [, ncsaDay, monthName, ncsaYear, year = ncsaYear, isoMonth, day = ncsaDay, ...clock] =
    dateTime.exec(bare) ?? [];
  const month = monthName ? months.indexOf(monthName.toLowerCase()) : Number(isoMonth) - 1;
  const midnightMs = Date.UTC(Number(year), month, Number(day));
  if (new Date(midnightMs).getUTCMonth() !== month) return undefined;
  const [hours, minutes, seconds, fraction = '', sign, zoneHours = 0, zoneMinutes = 0] = clock;
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -60_000 : 60_000);
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return midnightMs + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds - offset;
}
