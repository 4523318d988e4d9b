const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Outside of these years a number is no time of a request. */
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
  if (/^\d{9,19}(\.\d+)?$/.test(value)) return fromNumber(Number(value));
  return fromNcsa(value) ?? fromIso(value);
}

/** The unit follows from the size: seconds have ten digits from 2001 to 2286. */
function fromNumber(value: number): number {
  if (value < 1e11) return Math.floor(Math.round(value * 1e6) / 1e3);
  if (value < 1e14) return Math.floor(value);
  return Math.floor(value < 1e17 ? value / 1e3 : value / 1e6);
}

function fromNcsa(text: string): number | undefined {
  const match =
    /^(\d{1,2})\/([A-Za-z]{3})\/(\d{4}):(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))? ([+-])(\d{2}):?(\d{2})$/.exec(
      text,
    );
  if (match === null) return undefined;
  const month = months.indexOf((match[2] ?? '').toLowerCase());
  const local = utc([match[3], month, match[1], match[4], match[5], match[6]]);
  if (month === -1 || local === undefined) return undefined;
  const ms = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (Number(match[9]) * 60 + Number(match[10])) * 60_000;
  return local + ms - (match[8] === '-' ? -offset : offset);
}

function fromIso(text: string): number | undefined {
  const match =
    /^(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i.exec(
      text,
    );
  if (match === null) return undefined;
  const local = utc([match[1], Number(match[2]) - 1, match[3], match[4], match[5], match[6]]);
  if (local === undefined) return undefined;
  const ms = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const zone = /^([+-])(\d{2}):?(\d{2})$/.exec(match[8] ?? '');
  const offset = zone === null ? 0 : (Number(zone[2]) * 60 + Number(zone[3])) * 60_000;
  return local + ms - (zone?.[1] === '-' ? -offset : offset);
}

/** Undefined for a day, hour or second that does not exist; a leap second is the next one. */
function utc(parts: ReadonlyArray<string | number | undefined>): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 1 && isLeap ? 29 : (monthDays[month] ?? 0);
  if (day < 1 || day > days) return undefined;
  const date = Date.UTC(year, month, day);
  return date + ((hour * 60 + minute) * 60 + second) * 1000;
}
