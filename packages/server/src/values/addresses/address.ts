import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IP address, to be shown and to be looked up. */
export interface Address {
  /** Its one spelling: dotted IPv4, or IPv6 of RFC 5952. */
  readonly text: string;
  /** Its family, 4 or 6, and its bytes, one character each: keys sort as addresses do. */
  readonly key: string;
}

/** The beginnings of an IPv4 address inside IPv6: mapped, and NAT64 (RFC 6052). */
const ipv4Prefixes = new Set(['00000000000000000000ffff', '0064ff9b0000000000000000']);

/**
 * Reads an IPv4 or IPv6 address with what logs write around it: a port, brackets, a zone. An IPv4
 * address inside IPv6 (`::ffff:192.0.2.1`, and NAT64's `64:ff9b::192.0.2.1`) is the IPv4 address.
 * Undefined for anything else.
 */
export function parseAddress(text: string): Address | undefined {
  const bare = withoutPort(text);
  if (isIPv4(bare)) return ofBytes(bare.split('.').map(Number));
  if (!isIPv6(bare)) return undefined;
  // The library reads `::192.0.2.1` as an IPv4 address, but its other spellings as the IPv6 address.
  const bytes = ipaddr.IPv6.parse(bare.replace(/^::(?=\d+\.)/, '0::')).toByteArray();
  const isIpv4Inside = ipv4Prefixes.has(Buffer.from(bytes).toString('hex', 0, 12));
  return ofBytes(isIpv4Inside ? bytes.slice(-4) : bytes);
}

/** Whether `parseAddress` reads a text. */
export function isAddress(text: string): boolean {
  return isIP(withoutPort(text)) !== 0;
}

/** Makes an address of its 4 or 16 bytes. */
export function ofBytes(bytes: readonly number[]): Address {
  return bytes.length === 4
    ? { text: bytes.join('.'), key: `4${keyOf(bytes)}` }
    : { text: new ipaddr.IPv6([...bytes]).toRFC5952String(), key: `6${keyOf(bytes)}` };
}

function keyOf(bytes: readonly number[]): string {
  return String.fromCharCode(...bytes);
}

/** The key of an address's network: IPv4 /24, IPv6 /48. */
export function networkKey(address: Address): string {
  return address.key.slice(0, isIpv4(address) ? 4 : 7);
}

/** The bytes of an address: 4 for IPv4, 16 for IPv6. */
export function bytesOf({ key }: Pick<Address, 'key'>): number[] {
  return Array.from(key.slice(1), (character) => character.charCodeAt(0));
}

export function isIpv4({ key }: Address): boolean {
  return key.startsWith('4');
}

/** The reverse DNS name of an address, which has its PTR records (RFC 1035, 3.5; RFC 3596, 2.5). */
export function reverseName(address: Address): string {
  const bytes = bytesOf(address);
  if (isIpv4(address)) return `${bytes.toReversed().join('.')}.in-addr.arpa`;
  const digits = bytes.flatMap((byte) => [byte >> 4, byte & 15]).toReversed();
  return `${digits.map((digit) => digit.toString(16)).join('.')}.ip6.arpa`;
}

function withoutPort(text: string): string {
  if (text.startsWith('[')) return withoutZone(text.slice(1, text.indexOf(']')));
  const colon = text.indexOf(':');
  if (colon === -1) return text;
  const dot = text.indexOf('.');
  return dot !== -1 && dot < colon ? text.slice(0, colon) : withoutZone(text);
}

function withoutZone(text: string): string {
  const zone = text.indexOf('%');
  return zone === -1 ? text : text.slice(0, zone);
}
