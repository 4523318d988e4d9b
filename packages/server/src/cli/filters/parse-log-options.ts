import { Refusal } from '../../refusals.ts';
import { flagsOf } from '../../config.ts';
import { parseDay } from '../../values/time/moment.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { parseWhen } from '../../values/time/when.ts';
import { isIpv4 } from '../../values/addresses/address.ts';
import { normaliseHost } from '../../values/sites/host.ts';
import { parseNetwork } from '../../values/addresses/networks.ts';
import type { Network } from '../../values/addresses/networks.ts';
import { nat64Lengths } from '../../values/addresses/nat64.ts';

/**
 * Parses an option such as `{ since }`, which is a day, a moment, or a span before now such as
 * `12h`, to milliseconds since 1970. Throws a `Refusal` for anything else.
 */
export function parseBound(
  typedOptions: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): number | undefined {
  const [name = '', text] = Object.entries(typedOptions)[0] ?? [];
  if (text === undefined) return undefined;
  const atMs = parseWhen(text, { nowMs, spans: 'ago' });
  if (atMs === undefined) throw new Refusal('time_malformed', { flag: flagsOf(name, {}), text });
  return atMs;
}

/**
 * Parses `--until` to the first millisecond that is left out. A day is included whole, as the tools
 * and the API do.
 */
export function parseUntil(text: string | undefined, nowMs: number): number | undefined {
  const atMs = parseBound({ until: text }, nowMs);
  const isDay = text !== undefined && parseDay(text) !== undefined;
  return atMs !== undefined && isDay ? atMs + dayMs : atMs;
}

/** Parses the name of a site. Throws a `Refusal` for anything else. */
export function parseSite(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const host = normaliseHost(text);
  if (host === undefined) throw new Refusal('site_malformed', { text });
  return host;
}

/** The words of an option, separated by commas or spaces. */
export function splitOptionWords(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== '');
}

/** Parses prefixes that translate IPv4 to IPv6 (RFC 6052). Throws a `Refusal` for anything else. */
export function parseNat64(texts: readonly string[]): readonly Network[] {
  return splitOptionWords(texts).map((text) => {
    const network = parseNetwork(text);
    const isPrefix =
      network !== undefined && !isIpv4(network.first) && nat64Lengths.includes(network.bits);
    if (isPrefix) return network;
    throw new Refusal('nat64_malformed', { text, lengths: nat64Lengths });
  });
}
