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
  const [, day, name = '', year, ...rest] =
    /^(\d{1,2})\/([A-Za-z]{3})\/(\d{4})[: ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?: ([+-]\d{2}:?\d{2}))?$/.exec(
      text,
    ) ?? [];
  const month = months.indexOf(name.toLowerCase());
  return month === -1 ? undefined : utc([Number(year), month, Number(day)], rest);
}

function fromIso(text: string): number | undefined {
  const [, year, month, day, ...rest] =
    /^(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i.exec(
      text,
    ) ?? [];
  return year === undefined ? undefined : utc([Number(year), Number(month) - 1, Number(day)], rest);
}

/** Undefined for a day, hour or second that does not exist. A leap second is the next second. */
function utc(
  [year, month, day]: readonly [year: number, month: number, day: number],
  [hours, minutes, seconds, fraction = '', zone = '']: ReadonlyArray<string | undefined>,
): number | undefined {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  const midnightMs = Date.UTC(year, month, day);
  if (new Date(midnightMs).getUTCMonth() !== month) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  // `+0530` or `-05:30`: `Z` and `UTC` have no digits.
  const [, sign, zoneHours = 0, zoneMinutes = 0] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -60_000 : 60_000);
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const ofDay = ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
  return midnightMs + ofDay - offset;
}
