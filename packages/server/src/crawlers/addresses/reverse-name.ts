import type { Address } from './address.ts';

/** The name under which the host names of an address stand (RFC 1035, 3.5; RFC 3596, 2.5). */
export function reverseName(address: Address): string {
  if (address.family === 4) {
    const { value } = address;
    return [
      value & 255,
      (value >>> 8) & 255,
      (value >>> 16) & 255,
      value >>> 24,
      'in-addr.arpa',
    ].join('.');
  }
  const digits = address.words.map((word) => word.toString(16).padStart(8, '0')).join('');
  return [...digits].toReversed().concat('ip6.arpa').join('.');
}
