import type { Address } from './address.ts';
import { firstAddress, lastAddress, parsePrefix } from './prefix.ts';
import type { Prefix } from './prefix.ts';
import { createRangeSet } from './range-set.ts';

/**
 * Networks that are not globally routable: IANA's special-purpose registries (RFC 6890 and later),
 * multicast and what was never assigned.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const notGlobalNetworks: readonly Prefix[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].flatMap((text) => parsePrefix(text) ?? []);

const notGlobal = createRangeSet(notGlobalNetworks);

/** Global unicast, the only part of IPv6 that is assigned. */
const global = createRangeSet(['2000::/3'].flatMap((text) => parsePrefix(text) ?? []));

/** Whether the address can be a client's on the internet. */
export function isGlobalAddress(address: Address): boolean {
  if (address.family === 6 && global.find(address) === -1) return false;
  return notGlobal.find(address) === -1;
}

/** The first of the networks that is not globally routable, wholly or in part; undefined if all are. */
export function findNotGlobal(prefixes: readonly Prefix[]): Prefix | undefined {
  const outside = prefixes.find(
    (prefix) => !isGlobalAddress(firstAddress(prefix)) || !isGlobalAddress(lastAddress(prefix)),
  );
  if (outside !== undefined) return outside;
  const networks = createRangeSet(prefixes);
  const within = notGlobalNetworks.find((network) => networks.find(firstAddress(network)) !== -1);
  return within && prefixes[networks.find(firstAddress(within))];
}
