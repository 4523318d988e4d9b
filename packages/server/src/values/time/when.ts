import { parseDay, parseMoment } from './moment.ts';
import { parseSpan } from './span.ts';

/** The accepted forms of a point in time, for help and messages. */
export const whenForms = '2026-11-20, 2026-11-20T12:00:00Z, or a span such as 12h, 7d, 4w';

/**
 * Reads a point in time, in milliseconds since 1970: a day (its beginning in UTC), a moment with
 * its zone, or a span before (`ago`) or after (`ahead`) now. Undefined for any other text.
 */
export function parseWhen(
  text: string,
  { nowMs, spans }: { nowMs: number; spans: 'ago' | 'ahead' },
): number | undefined {
  const spanMs = parseSpan(text);
  if (spanMs !== undefined) return spans === 'ago' ? nowMs - spanMs : nowMs + spanMs;
  const day = parseDay(text);
  const moment = day === undefined ? parseMoment(text) : `${day}T00:00:00.000Z`;
  return moment === undefined ? undefined : Date.parse(moment);
}
