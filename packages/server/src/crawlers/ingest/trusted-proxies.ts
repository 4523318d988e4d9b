import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../refusals.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import type { Address } from '../../values/addresses/address.ts';
import { createNetworks, isGlobal, parseNetwork } from '../../values/addresses/networks.ts';
import { proxyPrefix } from '../operators/lists.ts';
import type { Lists } from '../operators/lists.ts';

export interface TrustedProxy {
  /**
   * How it names its client: in a header that proxies append to, in one to which it appends its own
   * address, too, or in a header of its own.
   */
  readonly header: 'appended' | 'appendedBeforeOwn' | 'cfConnectingIp' | 'trueClientIp';
  /** Whether its addresses also forward what strangers send to any origin, with any header. */
  readonly isShared: boolean;
}

export type TrustedProxies = NonNullable<ReturnType<typeof createTrustedProxies>>;

const own: TrustedProxy = { header: 'appended', isShared: false };
/** Strangers can be customers of every network that publishes its addresses. */
const shared: TrustedProxy = { header: 'appended', isShared: true };

const knownNetworks: Readonly<Record<string, TrustedProxy>> = {
  // It appends to X-Forwarded-For, too, but is known by its own header. A Worker of a stranger's zone can
  // set it. https://developers.cloudflare.com/fundamentals/reference/http-headers/
  cloudflare: { header: 'cfConnectingIp', isShared: true },
  akamai: { header: 'trueClientIp', isShared: true },
  // Its addresses reach only backends in its owner's network, and it writes `client, its own address`.
  // https://cloud.google.com/load-balancing/docs/https#x-forwarded-for_header
  'google-load-balancer': { header: 'appendedBeforeOwn', isShared: false },
};

const nearMs = 90 * dayMs;

/**
 * Makes trusted proxies of networks and of names such as `cloudflare`. A name trusts the lists that
 * were in force at the time of a request. Throws a `Refusal` for an unknown name.
 */
export function createTrustedProxies(
  words: readonly string[],
  {
    lists,
    clock,
    originSecrets,
  }: { lists: Lists; clock: () => number; originSecrets: readonly string[] },
) {
  if (words.length === 0) return undefined;
  const networks = createNetworks(words.flatMap((word) => parseNetwork(word) ?? []));
  const named = words
    .filter((word) => parseNetwork(word) === undefined)
    .flatMap((name) => findLists(name, lists));
  const secretDigests = originSecrets.map(digest);
  return { find, isOwnOrigin };

  /** The proxy that has an address at a moment. Undefined if the address is not trusted. */
  function find(address: Address, atMs: number): TrustedProxy | undefined {
    const isNumbered = networks.find(address) !== undefined;
    const moment = { atMs, nowMs: clock(), nearMs };
    // However the addresses of a content network are trusted, strangers share them.
    const list = isNumbered
      ? lists.findEver(lists.idsOf(proxyPrefix), address)
      : named.find((id) => lists.wasListed([id], address, moment));
    if (list === undefined) return isNumbered ? own : undefined;
    return isGlobal(address) ? (knownNetworks[proxyName(list)] ?? shared) : own;
  }

  /** Whether a line has a secret of one's own. The comparison takes as long for any text. */
  function isOwnOrigin(originAuth: string | null): boolean {
    if (originAuth === null) return false;
    const found = digest(originAuth);
    return secretDigests.some((secret) => timingSafeEqual(secret, found));
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The lists of a name: `proxy/cloudflare`, `proxy/cloudflare-v4` and so on. */
function findLists(name: string, lists: Lists): readonly string[] {
  const id = proxyPrefix + name.toLowerCase();
  const ids = lists
    .idsOf(proxyPrefix)
    .filter((candidate) => candidate === id || candidate.startsWith(`${id}-`));
  if (ids.length === 0) throw new Refusal('proxy_unknown', { name });
  return ids;
}

/** The name that trusts a list: `proxy/cloudflare-v4` is of `cloudflare`. */
export function proxyName(list: string): string {
  return list.replace(/^proxy\//, '').replace(/-v[46]$/, '');
}
