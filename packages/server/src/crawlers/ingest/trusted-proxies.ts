import { Refusal } from '../../refusals.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import type { Address } from '../../values/addresses/address.ts';
import { createNetworks, parseNetwork } from '../../values/addresses/networks.ts';
import { proxyPrefix } from '../operators/lists.ts';
import type { Lists } from '../operators/lists.ts';

/** How a proxy names its client: in a header that proxies append to, or in a header of its own. */
export type ClientHeader = 'appended' | 'cfConnectingIp' | 'trueClientIp';

export type TrustedProxies = NonNullable<ReturnType<typeof createTrustedProxies>>;

/**
 * Content networks that pass on other headers as they came. Anyone can send requests through them to
 * any origin, with any X-Forwarded-For.
 */
const ownHeaders: Readonly<Record<string, ClientHeader>> = {
  cloudflare: 'cfConnectingIp',
  akamai: 'trueClientIp',
};

const nearMs = 90 * dayMs;

/**
 * Makes trusted proxies of networks and of names such as `cloudflare`. A name trusts the lists that
 * were in force at the time of a request. Throws a `Refusal` for an unknown name.
 */
export function createTrustedProxies(
  words: readonly string[],
  { lists, clock }: { lists: Lists; clock: () => number },
) {
  if (words.length === 0) return undefined;
  const networks = createNetworks(words.flatMap((word) => parseNetwork(word) ?? []));
  const named = words
    .filter((word) => parseNetwork(word) === undefined)
    .map((name) => ({
      ids: findLists(name, lists),
      header: ownHeaders[name.toLowerCase()] ?? 'appended',
    }));
  // These networks pass on headers that a client wrote, however their addresses are trusted.
  const proxies = Object.entries(ownHeaders).map(([name, header]) => ({
    ids: idsOfName(name, lists),
    header,
  }));
  return { headerOf };

  /** The header to trust from an address at a moment. Undefined if the address is not trusted. */
  function headerOf(address: Address, atMs: number): ClientHeader | undefined {
    if (networks.find(address) !== undefined) {
      const proxy = proxies.find(({ ids }) => lists.findEver(ids, address) !== undefined);
      return proxy?.header ?? 'appended';
    }
    const moment = { atMs, nowMs: clock(), nearMs };
    return named.find(({ ids }) => lists.wasListed(ids, address, moment))?.header;
  }
}

function findLists(name: string, lists: Lists): readonly string[] {
  const ids = idsOfName(name, lists);
  if (ids.length === 0) throw new Refusal('proxy_unknown', { name });
  return ids;
}

/** The lists of a name: `proxy/cloudflare`, `proxy/cloudflare-v4` and so on. */
function idsOfName(name: string, lists: Lists): readonly string[] {
  const id = proxyPrefix + name.toLowerCase();
  return lists
    .idsOf(proxyPrefix)
    .filter((candidate) => candidate === id || candidate.startsWith(`${id}-`));
}

/** The name that trusts a list: `proxy/cloudflare-v4` is of `cloudflare`. */
export function proxyName(list: string): string {
  return list.replace(/^proxy\//, '').replace(/-v[46]$/, '');
}
