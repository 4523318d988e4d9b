import { CommandError } from '../../problems.ts';
import { printable } from '../../values/printable.ts';
import { parseWhen, whenForms } from '../../values/when.ts';
import { isIpv4 } from '../address.ts';
import { hostOf } from '../formats/host.ts';
import { parseNetwork } from '../networks.ts';
import type { Network } from '../networks.ts';
import { nat64Lengths } from './client-address.ts';

/**
 * A bound in time, in milliseconds since 1970: a day, a moment, or `12h`, `7d`, `2w` before now.
 * Throws a `CommandError` (2) for anything else.
 */
export function parseBound(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const atMs = parseWhen(text, { nowMs, spans: 'ago' });
  if (atMs !== undefined) return atMs;
  throw new CommandError(`"${printable(text)}" is not a time. Write ${whenForms}.`, {
    exitCode: 2,
  });
}

/** The site's name in its one spelling. Throws a `CommandError` (2) for what is none. */
export function parseSite(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const host = hostOf(text);
  if (host !== null) return host;
  throw new CommandError(`"${text}" is no host name such as www.example.com.`, { exitCode: 2 });
}

/** The words of an option that takes several, apart by commas or spaces. */
export function parseWords(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== '');
}

/** Prefixes that translate IPv4 into IPv6 (RFC 6052). Throws a `CommandError` (2) for anything else. */
export function parseNat64(texts: readonly string[]): readonly Network[] {
  return parseWords(texts).map((word) => {
    const network = parseNetwork(word);
    if (network !== undefined && !isIpv4(network.first) && nat64Lengths.includes(network.bits)) {
      return network;
    }
    throw new CommandError(
      `"${word}" is not a NAT64 prefix: it is an IPv6 network of ${nat64Lengths.join(', ')} bits.`,
      { exitCode: 2 },
    );
  });
}
