import { CommandError } from '../problems.ts';

const hourMs = 3_600_000;
const units: Readonly<Record<string, number>> = {
  h: hourMs,
  d: 24 * hourMs,
  w: 7 * 24 * hourMs,
  y: 365 * 24 * hourMs,
};
/** The last moment that fits the normal form of four digits of a year. */
const latest = '9999-12-31T23:59:59.999Z';

/**
 * When a key expires, from what an operator gives: `90d` (h, d, w, y of 365 days), a date (its
 * beginning, UTC) or a moment with its zone. Returns it in normal form.
 * Throws a `CommandError` (2) for another form, and for a moment that is past.
 */
export function parseExpiry(text: string, { clock }: { clock: () => number }): string {
  const atMs = momentOf(text, clock());
  if (atMs === undefined) {
    throw wrong(
      '--expires must be a time such as 12h, 90d, 4w or 1y, a date such as 2027-01-31, or a moment such as 2027-01-31T12:00:00Z.',
    );
  }
  if (atMs <= clock()) throw wrong('--expires is in the past: the key would open nothing.');
  if (atMs > Date.parse(latest)) throw wrong('--expires is past the year 9999: leave it out.');
  return new Date(atMs).toISOString();
}

function momentOf(text: string, nowMs: number): number | undefined {
  const span = /^(\d{1,6})([hdwy])$/.exec(text);
  if (span !== null) return nowMs + Number(span[1]) * (units[span[2] ?? ''] ?? Number.NaN);
  const moment =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/i.exec(text);
  if (moment === null) return undefined;
  const day = Date.parse(`${moment[1]}T00:00:00Z`);
  // Date.parse takes 30 February for 2 March.
  const isDay = Number.isFinite(day) && new Date(day).toISOString().startsWith(moment[1] ?? '-');
  const atMs = Date.parse(text);
  return isDay && Number.isFinite(atMs) ? atMs : undefined;
}

function wrong(message: string): CommandError {
  return new CommandError(message, { exitCode: 2 });
}
