import { bytesOf, isIpv4, ofBytes } from './address.ts';
import type { Address } from './address.ts';
import { parseNetwork } from './networks.ts';
import type { Network } from './networks.ts';

/** Bytes that hold the IPv4 address, by the length of the prefix (RFC 6052, 2.2). */
const embedded: Readonly<Record<number, readonly number[]>> = {
  32: [4, 5, 6, 7],
  40: [5, 6, 7, 9],
  48: [6, 7, 9, 10],
  56: [7, 9, 10, 11],
  64: [9, 10, 11, 12],
  96: [12, 13, 14, 15],
};

/** The lengths that a NAT64 prefix may have. */
export const nat64Lengths: readonly number[] = Object.keys(embedded).map(Number);

/** An IPv4 address that an IPv6 address may stand for, and the prefix that would translate it. */
interface EmbeddedAddress {
  readonly address: Address;
  readonly prefix: string;
}

/**
 * The IPv4 addresses that an IPv6 address holds where a prefix of some length would put one. Bits 64 to
 * 71 and all behind the IPv4 address must be zero.
 */
export function embeddedAddresses(address: Address): readonly EmbeddedAddress[] {
  if (isIpv4(address)) return [];
  const bytes = bytesOf(address);
  return Object.entries(embedded).flatMap(([bits, places]) => {
    const end = places.at(-1) ?? 0;
    const isZero = bytes.every((byte, place) => byte === 0 || (place !== 8 && place <= end));
    const prefix = parseNetwork(`${address.text}/${bits}`);
    if (!isZero || prefix === undefined) return [];
    return [{ address: ofBytes(places.map((place) => bytes[place] ?? 0)), prefix: prefix.text }];
  });
}

/** The IPv4 address that an IPv6 address of one of the prefixes stands for. Any other address stays as it is. */
export function translateAddress(address: Address, prefixes: readonly Network[]): Address {
  if (prefixes.length === 0 || isIpv4(address)) return address;
  const prefix = prefixes.find(
    ({ first, last }) => first.key <= address.key && address.key <= last.key,
  );
  const places = prefix && embedded[prefix.bits];
  if (places === undefined) return address;
  const bytes = bytesOf(address);
  return ofBytes(places.map((place) => bytes[place] ?? 0));
}
