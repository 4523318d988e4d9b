import type { Address } from './address.ts';
import { nat64Lengths, translateAddress } from './nat64.ts';
import { createNetworks, parseNetwork } from './networks.ts';

/**
 * Link-local networks (RFC 3927; RFC 4291, 2.5.6), where most clouds give their machines credentials,
 * and two addresses elsewhere that do the same: of AWS in IPv6, and of Alibaba Cloud.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 * https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata
 */
const networks = createNetworks([
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254/128',
  '100.100.100.200/32',
]);

/** IPv6 of a NAT64 of one's own (RFC 8215), which may hold an IPv4 address at any of its places. */
const ownNat64 = parseNetwork('64:ff9b:1::/48');

/** Whether the address, or an IPv4 address inside it, may be one where a cloud gives out credentials. */
export function isCredentialAddress(address: Address): boolean {
  const inside =
    ownNat64 === undefined
      ? []
      : nat64Lengths.map((bits) => translateAddress(address, [{ ...ownNat64, bits }]));
  return [address, ...inside].some((each) => networks.find(each) !== undefined);
}
