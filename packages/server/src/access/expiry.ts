import { Refusal } from '../refusals.ts';
import { parseWhen } from '../values/time/when.ts';

/** The last moment in normal form, with a four-digit year. */
const latest = '9999-12-31T23:59:59.999Z';

/**
 * Reads when a key expires, from an operator's text: a span from now such as `90d`, a day (its
 * beginning, UTC) or a moment with its zone. Returns it in normal form. Throws a `Refusal` for
 * another form, and for a moment in the past.
 */
export function parseExpiry(text: string, { clock }: { clock: () => number }): string {
  const nowMs = clock();
  const atMs = parseWhen(text, { nowMs, spans: 'ahead' });
  if (atMs === undefined) throw new Refusal('key_expiry_malformed', { text });
  if (atMs <= nowMs) throw new Refusal('key_expiry_past', { text });
  if (atMs > Date.parse(latest)) throw new Refusal('key_expiry_too_late', { text });
  return new Date(atMs).toISOString();
}
