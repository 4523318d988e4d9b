import { formatAddress, parseAddress } from './address.ts';
import type { Address } from './address.ts';

/** A network: an address and how many of its leading bits count. */
export interface Prefix {
  readonly address: Address;
  readonly bits: number;
}

/** Reads `192.0.2.0/24`, `2001:db8::/32` or a single address. Undefined where it is none. */
export function parsePrefix(text: string): Prefix | undefined {
  const [base = '', length, more] = text.trim().split('/');
  const address = parseAddress(base);
  if (address === undefined || more !== undefined || !/^[0-9a-fA-F:.]+$/.test(base))
    return undefined;
  const width = address.family === 4 ? 32 : 128;
  if (length === undefined) return { address, bits: width };
  if (!/^\d{1,3}$/.test(length)) return undefined;
  const bits = Number(length);
  const isInside = address.family === 4 && base.includes(':');
  if (!isInside) return bits <= width ? { address, bits } : undefined;
  // `::ffff:192.0.2.0/120` counts the bits of the IPv6 form; /96 would be the whole of IPv4.
  return bits > 96 && bits <= 128 ? { address, bits: bits - 96 } : undefined;
}

/** The one spelling of a network, host bits cleared. */
export function formatPrefix(prefix: Prefix): string {
  return `${formatAddress(firstAddress(prefix))}/${prefix.bits}`;
}

/** The network's first address. */
export function firstAddress({ address, bits }: Prefix): Address {
  if (address.family === 4) return { family: 4, value: (address.value & mask(bits)) >>> 0 };
  return { family: 6, words: mapWords(address.words, (word, own) => (word & own) >>> 0, bits) };
}

/** The network's last address. */
export function lastAddress({ address, bits }: Prefix): Address {
  if (address.family === 4) return { family: 4, value: (address.value | ~mask(bits)) >>> 0 };
  return { family: 6, words: mapWords(address.words, (word, own) => (word | ~own) >>> 0, bits) };
}

function mapWords(
  [a, b, c, d]: readonly [number, number, number, number],
  change: (word: number, mask: number) => number,
  bits: number,
): readonly [number, number, number, number] {
  return [
    change(a, mask(bits)),
    change(b, mask(bits - 32)),
    change(c, mask(bits - 64)),
    change(d, mask(bits - 96)),
  ];
}

/** A 32-bit mask of leading ones; JavaScript shifts by 32 as if by 0. */
function mask(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? 0xffffffff : (0xffffffff << (32 - bits)) >>> 0;
}
