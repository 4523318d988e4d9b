/**
 * The accepted forms of a moment: date, time and zone, separated by `T` or a space. They cover RFC
 * 3339 and the output of databases.
 */
const momentForm =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,18}))?)? ?(?:([Zz])|([+-])(\d{2})(?::?(\d{2}))?)$/;

/**
 * Most moments are in normal form already. Days up to the 28th can be checked without a calendar.
 */
const plainMoment =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const minuteMs = 60_000;

/**
 * A moment in normal form, `2026-11-20T12:34:56.789Z`: UTC, fractions cut to milliseconds.
 * Undefined for text without a zone, for a date or time that does not exist, and for a year in UTC
 * outside 1 to 9999.
 */
export function parseMoment(text: string): string | undefined {
  if (plainMoment.test(text)) return text;
  const parts = momentForm.exec(text);
  if (parts === null) return undefined;
  const [, day = '', hour = '', minute = '', second = '00', fraction = ''] = parts;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const local = `${day}T${hour}:${minute}:${second}.${milliseconds}Z`;
  const localMs = Date.parse(local);
  // `Date` reads 30 February as 2 March and 24:00 as the next day.
  if (Number.isNaN(localMs) || new Date(localMs).toISOString() !== local) return undefined;
  const offsetMs = parseOffset(parts);
  if (offsetMs === undefined) return undefined;
  const moment = new Date(localMs - offsetMs).toISOString();
  return isInRange(moment) ? moment : undefined;
}

/**
 * A calendar day in normal form, `2026-11-20`; undefined for any other text, or a day that does not
 * exist.
 */
export function parseDay(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || !isInRange(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? text : undefined;
}

function parseOffset(parts: RegExpExecArray): number | undefined {
  const [hours, minutes] = [Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
  if (hours > 23 || minutes > 59) return undefined;
  return (parts[7] === '-' ? -1 : 1) * (hours * 60 + minutes) * minuteMs;
}

/** A year of more than four digits has a sign, and year 0 is refused. */
function isInRange(normal: string): boolean {
  return /^\d{4}-/.test(normal) && !normal.startsWith('0000');
}
