import { CommandError } from '../problems.ts';
import { parseWhen, whenForms } from '../values/when.ts';

/** The last moment that fits the normal form of four digits of a year. */
const latest = '9999-12-31T23:59:59.999Z';

/**
 * When a key expires, from what an operator gives: a span from now such as `90d`, a day (its
 * beginning, UTC) or a moment with its zone. Returns it in normal form.
 * Throws a `CommandError` (2) for another form, and for a moment in the past.
 */
export function parseExpiry(text: string, { clock }: { clock: () => number }): string {
  const nowMs = clock();
  const atMs = parseWhen(text, { nowMs, spans: 'ahead' });
  if (atMs === undefined) throw wrong(`--expires must be ${whenForms}.`);
  if (atMs <= nowMs) throw wrong('--expires is in the past: the key would open nothing.');
  if (atMs > Date.parse(latest)) throw wrong('--expires is past the year 9999: leave it out.');
  return new Date(atMs).toISOString();
}

function wrong(message: string): CommandError {
  return new CommandError(message, { exitCode: 2 });
}
