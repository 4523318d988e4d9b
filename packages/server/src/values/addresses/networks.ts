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
  /** The widest network that has the address. */
  find(address: Address): string | undefined;
  /** Whether every address of the network is in one of them. */
  covers(network: Network): boolean;
  /** Whether there is any network of the address's family, IPv4 or IPv6. */
  hasFamilyOf(address: Address): boolean;
}

/** Reads `192.0.2.0/24`, `2001:db8::/32` or a single address. Undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [base = '', length, more] = text.trim().split('/');
  const address = /^[\da-f:.]+$/i.test(base) ? parseAddress(base) : undefined;
  if (address === undefined || more !== undefined) return undefined;
  // A port is not part of a network.
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

interface Span {
  readonly first: string;
  readonly last: string;
  readonly bits: number;
  text?: string;
}

/**
 * Sorts networks for a binary search. A network inside another one adds nothing, so those kept do not
 * overlap. They are spelled when they are found, because lists have tens of thousands of networks.
 * Texts that are not networks are left out.
 */
export function createNetworks(networks: Iterable<string | Network>): Networks {
  const spans: Span[] = [];
  for (const one of networks) {
    const network = typeof one === 'string' ? parseNetwork(one) : one;
    if (network === undefined) continue;
    spans.push({ first: network.first.key, last: network.last.key, bits: network.bits });
  }
  spans.sort((left, right) =>
    left.first === right.first ? left.bits - right.bits : left.first < right.first ? -1 : 1,
  );
  const widest: Span[] = [];
  for (const span of spans) if (span.first > (widest.at(-1)?.last ?? '')) widest.push(span);
  const firsts = widest.map(({ first }) => first);
  return { find, covers, hasFamilyOf };

  /** A key begins with its family, so those of IPv4 come first. */
  function hasFamilyOf({ key }: Address): boolean {
    return firsts.at(key.startsWith('4') ? 0 : -1)?.charAt(0) === key.charAt(0);
  }

  function find({ key }: Address): string | undefined {
    const span = widest[placeOf(key)];
    if (span === undefined || key > span.last) return undefined;
    return (span.text ??= `${ofBytes(bytesOf({ key: span.first })).text}/${span.bits}`);
  }

  function covers({ first, last }: Network): boolean {
    let key = first.key;
    for (let place = placeOf(key); ; place++) {
      const span = widest[place];
      if (span === undefined || span.first > key || span.last < key) return false;
      if (span.last >= last.key) return true;
      key = keyAfter(span.last);
    }
  }

  /** The place of the last span that begins at a key or before it; -1 if none does. */
  function placeOf(key: string): number {
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((firsts[middle] ?? '') <= key) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** The key of the next address. That of the last one is the first of its family. */
function keyAfter(key: string): string {
  const bytes = bytesOf({ key });
  const place = bytes.findLastIndex((byte) => byte !== 255);
  const next = bytes.map((byte, index) => (index < place ? byte : index === place ? byte + 1 : 0));
  return ofBytes(next).key;
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
];

const special = specialNetworks.flatMap((text) => parseNetwork(text) ?? []);
const lookup = createNetworks(special);

/** Whether the address can be a client on the internet. */
export function isGlobal(address: Address): boolean {
  return lookup.find(address) === undefined;
}

/** A network that is not globally routable, wholly or in part. Undefined if all are. */
export function findNotGlobal(networks: readonly Network[]): Network | undefined {
  return networks.find(({ first, last }) =>
    special.some((one) => one.first.key <= last.key && first.key <= one.last.key),
  );
}

/**
 * The network that limits count by: an IPv4 address, or the /64 of IPv6 that one customer usually
 * has.
 */
export function networkOf(text: string): string {
  const address = parseAddress(text);
  if (address === undefined || isIpv4(address)) return address?.text ?? text;
  return makeNetwork(address, 64).text;
}

/**
 * The network of the addresses that an address may stand for, if it was masked for privacy: that sets
 * its last octets to 0, 1 or 255, in IPv6 the last 64 bits or more to 0. The address alone for any other.
 */
export function unmaskedNetwork(address: Address): Network {
  const bytes = bytesOf(address);
  const last = bytes.at(-1) ?? 0;
  const byteCount = bytes.findLastIndex((byte) => byte !== last) + 1;
  const isMasked = isIpv4(address) ? [0, 1, 255].includes(last) : last === 0 && byteCount <= 8;
  return makeNetwork(address, 8 * (isMasked ? byteCount : bytes.length));
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
