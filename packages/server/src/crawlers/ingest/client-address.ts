import { parseAddress } from '../../values/addresses/address.ts';
import type { Address } from '../../values/addresses/address.ts';
import { translateAddress } from '../../values/addresses/nat64.ts';
import { isGlobal } from '../../values/addresses/networks.ts';
import type { Network } from '../../values/addresses/networks.ts';
import type { LogLine } from '../log-line.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** The client of a request, by the log and trusted proxies. */
export interface ClientAddress {
  /** Null if the log has no address. */
  readonly address: Address | null;
  /** Whether the address belongs to a trusted proxy whose header names no client, or proves nothing. */
  readonly isProxy?: true;
  /** Other addresses in headers, if no proxy is trusted or the header proves nothing. */
  readonly otherClients?: readonly Address[];
}

export type ForwardedLine = Pick<
  LogLine,
  | 'atMs'
  | 'address'
  | 'forwardedFor'
  | 'forwarded'
  | 'cfConnectingIp'
  | 'trueClientIp'
  | 'originAuth'
>;

/** How many addresses at the end of a header are read. */
const hopsMax = 10;

/**
 * Finds the client of a request: the peer, or if the peer is a trusted proxy, the client that its
 * header names. In a header that proxies append to, that is the right-most address that is not
 * trusted, because anyone can write the addresses to its left. A secret of one's own proves one
 * network that strangers share, the one that added it: before it may be a stranger's.
 */
export function readClient(
  line: ForwardedLine,
  {
    proxies,
    nat64 = [],
  }: { proxies: TrustedProxies | undefined; nat64?: readonly Network[] | undefined },
): ClientAddress {
  const peer = readAddress(line.address ?? '', nat64);
  if (peer === undefined) return { address: null };
  if (proxies === undefined)
    return { address: peer, otherClients: namedClients(line, peer, nat64) };
  let client = peer;
  let isProven = proxies.isOwnOrigin(line.originAuth);
  const hops = [...hopsOf(line)];
  for (;;) {
    const proxy = proxies.find(client, line.atMs);
    if (proxy === undefined) return { address: client };
    const { header, isShared } = proxy;
    if (header === 'appendedBeforeOwn') hops.pop();
    const isAppended = header === 'appended' || header === 'appendedBeforeOwn';
    const next = readAddress((isAppended ? hops.pop() : line[header]) ?? '', nat64);
    if (next === undefined || next.key === client.key) return { address: client, isProxy: true };
    if (isShared && !isProven) return { address: client, isProxy: true, otherClients: [next] };
    if (isShared) isProven = false;
    client = next;
    if (!isAppended) return { address: client };
  }
}

/** The hops of X-Forwarded-For or Forwarded; none if the log has both and they disagree. */
function hopsOf({ forwardedFor, forwarded }: ForwardedLine): readonly string[] {
  const listed = forwardedFor?.split(',').map((hop) => hop.trim()) ?? [];
  const elements = forwardedHops(forwarded);
  if (listed.length === 0 || elements.length === 0) return [...listed, ...elements];
  // The proxy appends to one of them. A client can send the other one.
  const [left, right] = [listed.at(-1), elements.at(-1)].map((hop) => parseAddress(hop ?? '')?.key);
  return left === right ? listed : [];
}

/** The `for` of each element of a Forwarded header (RFC 7239), even if it is not an address. */
function forwardedHops(header: string | null): readonly string[] {
  const elements = header?.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  return elements.map((element) => {
    const [, quoted, bare] = /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(element) ?? [];
    return quoted ?? bare ?? '';
  });
}

function namedClients(
  { forwardedFor, forwarded, cfConnectingIp, trueClientIp }: ForwardedLine,
  peer: Address,
  nat64: readonly Network[],
): readonly Address[] {
  if ((forwardedFor ?? forwarded ?? cfConnectingIp ?? trueClientIp) === null) return [];
  const texts = [
    cfConnectingIp ?? '',
    trueClientIp ?? '',
    ...(forwardedFor?.split(',') ?? []).slice(-hopsMax),
    ...forwardedHops(forwarded).slice(-hopsMax),
  ];
  const addresses = new Map<string, Address>();
  for (const address of texts.flatMap((text) => readAddress(text, nat64) ?? [])) {
    if (address.key !== peer.key && isGlobal(address)) addresses.set(address.key, address);
  }
  return [...addresses.values()];
}

function readAddress(text: string, nat64: readonly Network[]): Address | undefined {
  const address = parseAddress(text.trim());
  return address && translateAddress(address, nat64);
}
