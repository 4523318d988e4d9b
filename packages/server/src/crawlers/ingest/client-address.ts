import { bytesOf, isIpv4, ofBytes, parseAddress } from '../address.ts';
import type { Address } from '../address.ts';
import type { LogLine } from '../log-line.ts';
import { isGlobal } from '../networks.ts';
import type { Network } from '../networks.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** Who sent a request, as far as the log and trusted proxies say. */
export interface Client {
  /** Null if the log has no address. */
  readonly address: Address | null;
  /** Whether the address is a trusted proxy's, whose header names no client. */
  readonly isProxy: boolean;
  /** Other addresses that headers name, while no proxy is trusted. */
  readonly otherClients: readonly Address[];
}

type ForwardedLine = Pick<
  LogLine,
  'atMs' | 'address' | 'forwardedFor' | 'forwarded' | 'cfConnectingIp' | 'trueClientIp'
>;

/** Headers with more addresses are somebody's game. */
const hopsMax = 10;

/**
 * The client of a request: the peer, or if the peer is a trusted proxy, the client that the proxy's
 * header names. In a header that proxies add to, that is the right-most address that is not trusted:
 * what is left of it anybody can write.
 */
export function readClient(
  line: ForwardedLine,
  {
    proxies,
    nat64 = [],
  }: { proxies: TrustedProxies | undefined; nat64?: readonly Network[] | undefined },
): Client {
  const read = (text: string): Address | undefined => {
    const address = parseAddress(text.trim());
    return address && withoutNat64(address, nat64);
  };
  const peer = line.address === null ? undefined : read(line.address);
  if (peer === undefined) return { address: null, isProxy: false, otherClients: [] };
  if (proxies === undefined) {
    return { address: peer, isProxy: false, otherClients: namedClients(line, peer, read) };
  }
  let client = peer;
  const hops = [...hopsOf(line)];
  for (;;) {
    const header = proxies.headerOf(client, line.atMs);
    if (header === undefined) return { address: client, isProxy: false, otherClients: [] };
    const text = header === 'appended' ? hops.pop() : (line[header] ?? undefined);
    const next = text === undefined ? undefined : read(text);
    if (next === undefined || next.key === client.key) {
      return { address: client, isProxy: true, otherClients: [] };
    }
    client = next;
    if (header !== 'appended') return { address: client, isProxy: false, otherClients: [] };
  }
}

/** The hops of the header that proxies add to; none if there are two such headers that disagree. */
function hopsOf({ forwardedFor, forwarded }: ForwardedLine): readonly string[] {
  const listed = forwardedFor?.split(',').map((hop) => hop.trim()) ?? [];
  const elements = forwarded === null ? [] : forwardedHops(forwarded);
  if (listed.length === 0 || elements.length === 0) return [...listed, ...elements];
  // A proxy adds to one of them, and a stranger can send the other.
  const [left, right] = [listed.at(-1), elements.at(-1)].map((hop) => parseAddress(hop ?? '')?.key);
  return left === right ? listed : [];
}

/** The `for` of each element of a Forwarded header (RFC 7239); what names no address stays as it is. */
function forwardedHops(header: string): readonly string[] {
  const elements = header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  return elements.map((element) => {
    const [, quoted, bare] = /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(element) ?? [];
    return quoted ?? bare ?? '';
  });
}

function namedClients(
  line: ForwardedLine,
  peer: Address,
  read: (text: string) => Address | undefined,
): readonly Address[] {
  const { forwardedFor, forwarded, cfConnectingIp, trueClientIp } = line;
  if (
    forwardedFor === null &&
    forwarded === null &&
    cfConnectingIp === null &&
    trueClientIp === null
  ) {
    return [];
  }
  const texts = [
    cfConnectingIp ?? '',
    trueClientIp ?? '',
    ...(forwardedFor?.split(',') ?? []).slice(-hopsMax),
    ...(forwarded === null ? [] : forwardedHops(forwarded).slice(-hopsMax)),
  ];
  const found = new Map<string, Address>();
  for (const address of texts.flatMap((text) => read(text) ?? [])) {
    if (address.key !== peer.key && isGlobal(address)) found.set(address.key, address);
  }
  return [...found.values()];
}

/** Places of the IPv4 address by the length of the prefix (RFC 6052, 2.2). */
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

function withoutNat64(address: Address, prefixes: readonly Network[]): Address {
  if (prefixes.length === 0 || isIpv4(address)) return address;
  const prefix = prefixes.find(
    ({ first, last }) => first.key <= address.key && address.key <= last.key,
  );
  const places = prefix && embedded[prefix.bits];
  if (places === undefined) return address;
  const bytes = bytesOf(address);
  return ofBytes(places.map((place) => bytes[place] ?? 0));
}
