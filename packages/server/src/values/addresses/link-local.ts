import type { Address } from './address.ts';
import { nat64Lengths, translateAddress } from './nat64.ts';
import { createNetworks, parseNetwork } from './networks.ts';

const linkLocal = createNetworks(['169.254.0.0/16', 'fe80::/10']);

/** IPv6 of a NAT64 of one's own (RFC 8215), which may hold an IPv4 address at any of its places. */
const ownNat64 = parseNetwork('64:ff9b:1::/48');

/** Whether the address, or an IPv4 address inside it, is link-local (RFC 3927; RFC 4291, 2.5.6). */
export function isLinkLocal(address: Address): boolean {
  const inside =
    ownNat64 === undefined
      ? []
      : nat64Lengths.map((bits) => translateAddress(address, [{ ...ownNat64, bits }]));
  return [address, ...inside].some((each) => linkLocal.find(each) !== undefined);
}
