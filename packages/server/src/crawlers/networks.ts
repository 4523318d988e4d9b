import { bytesOf, isIpv4, ofBytes, parseAddress } from './address.ts';
import type { Address } from './address.ts';

/** A network: all addresses from the first to the last. */
export interface Network {
  /** Its one spelling: `192.0.2.0/24`. */
  readonly text: string;
  /** Leading bits that count, of 32 or 128. */
  readonly bits: number;
  readonly first: Address;
  readonly last: Address;
}

/** Networks that are looked up by address. */
export interface Networks {
  readonly size: number;
  /** The widest network that the address is in; undefined if it is in none. */
  find(address: Address): Network | undefined;
}

/** Reads `192.0.2.0/24`, `2001:db8::/32` or a single address. Undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [base = '', length, more] = text.trim().split('/');
  const address = /^[\da-f:.]+$/i.test(base) ? parseAddress(base) : undefined;
  if (address === undefined || more !== undefined) return undefined;
  // A port is no part of a network.
  if (base.includes('.') && /\d:\d+$/.test(base)) return undefined;
  const width = isIpv4(address) ? 32 : 128;
  if (length === undefined) return makeNetwork(address, width);
  if (!/^\d{1,3}$/.test(length)) return undefined;
  const bits = Number(length);
  if (!isIpv4(address) || !base.includes(':')) {
    return bits <= width ? makeNetwork(address, bits) : undefined;
  }
  // `::ffff:192.0.2.0/120` counts the bits of the IPv6 form; /96 would be the whole of IPv4.
  return bits > 96 && bits <= 128 ? makeNetwork(address, bits - 96) : undefined;
}

/**
 * Sorts networks for a binary search. A network inside another one adds nothing, so the ones that stay
 * do not overlap and the search has one candidate. `net.BlockList` walks a list: 100 times slower.
 */
export function createNetworks(networks: readonly Network[]): Networks {
  const sorted: Network[] = [];
  for (const network of networks.toSorted(compare)) {
    const before = sorted.at(-1);
    if (before === undefined || network.first.key > before.last.key) sorted.push(network);
  }
  const firsts = sorted.map(({ first }) => first.key);
  return { size: networks.length, find };

  function find({ key }: Address): Network | undefined {
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((firsts[middle] ?? '') <= key) low = middle + 1;
      else high = middle;
    }
    const network = sorted[low - 1];
    return network !== undefined && key <= network.last.key ? network : undefined;
  }
}

/**
 * Networks that are not globally routable: IANA's special-purpose registries (RFC 6890 and later),
 * multicast and what was never assigned.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const specialNetworks = [
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
  // Of IPv6 only 2000::/3 is assigned.
  '::/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '4000::/2',
  '8000::/1',
].flatMap((text) => parseNetwork(text) ?? []);

const special = createNetworks(specialNetworks);

/** Whether the address can be a client's on the internet. */
export function isGlobal(address: Address): boolean {
  return special.find(address) === undefined;
}

/** The first of the networks that is not globally routable, wholly or in part; undefined if all are. */
export function findNotGlobal(networks: readonly Network[]): Network | undefined {
  const outside = networks.find(({ first, last }) => !isGlobal(first) || !isGlobal(last));
  if (outside !== undefined) return outside;
  const all = createNetworks(networks);
  const [inside] = specialNetworks.flatMap(({ first }) => all.find(first) ?? []);
  return inside;
}

function makeNetwork(address: Address, bits: number): Network {
  const bytes = bytesOf(address);
  const first = ofBytes(bytes.map((byte, place) => byte & maskOf(bits, place)));
  const last = ofBytes(bytes.map((byte, place) => byte | (~maskOf(bits, place) & 0xff)));
  return { text: `${first.text}/${bits}`, bits, first, last };
}

/** The byte of a network mask at a place. */
function maskOf(bits: number, place: number): number {
  const count = Math.min(8, Math.max(0, bits - 8 * place));
  return (0xff << (8 - count)) & 0xff;
}

function compare(left: Network, right: Network): number {
  if (left.first.key !== right.first.key) return left.first.key < right.first.key ? -1 : 1;
  return left.bits - right.bits;
}
