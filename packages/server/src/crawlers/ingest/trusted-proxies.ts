import type { Address } from '../address.ts';
import { CommandError } from '../../problems.ts';
import { createNetworks, parseNetwork } from '../networks.ts';
import { proxyPrefix } from '../operators/lists.ts';
import type { Lists } from '../operators/lists.ts';

/** How a proxy names its client: in a header that proxies add to, or in one of its own. */
export type ClientHeader = 'appended' | 'cfConnectingIp' | 'trueClientIp';

/** The proxies whose headers are believed. */
export interface TrustedProxies {
  /** The header that is believed of an address at a moment; undefined if the address is not trusted. */
  headerOf(address: Address, atMs: number): ClientHeader | undefined;
}

/**
 * Content networks that pass on what strangers send in other headers: a stranger can send requests
 * through them to an origin that is not his, with any X-Forwarded-For.
 */
const ownHeaders: Readonly<Record<string, ClientHeader>> = {
  cloudflare: 'cfConnectingIp',
  akamai: 'trueClientIp',
};

const nearMs = 90 * 86_400_000;

/**
 * Makes trusted proxies of networks, and of names such as `cloudflare`: those are trusted by their
 * lists that were in force at the time of a request. Undefined for no words. Throws a `CommandError`
 * (2) for a word that is neither a network nor the name of a list that is here.
 */
export function createTrustedProxies(
  words: readonly string[],
  { lists, clock }: { lists: Lists; clock: () => number },
): TrustedProxies | undefined {
  const networks = words.flatMap((word) => parseNetwork(word) ?? []);
  const names = words.filter((word) => parseNetwork(word) === undefined);
  if (words.length === 0) return undefined;
  const own = createNetworks(networks);
  const named = names.map((name) => ({
    ids: idsOf(name, lists),
    header: ownHeaders[name.toLowerCase()] ?? 'appended',
  }));
  return { headerOf };

  function headerOf(address: Address, atMs: number): ClientHeader | undefined {
    if (own.find(address) !== undefined) return 'appended';
    const moment = { atMs, nowMs: clock(), nearMs };
    return named.find(({ ids }) => lists.hadAt(ids, address, moment))?.header;
  }
}

/** The lists of a name: `proxy/cloudflare`, or `proxy/cloudflare-v4` and so on. */
function idsOf(name: string, lists: Lists): readonly string[] {
  const id = proxyPrefix + name.toLowerCase();
  const all = lists.idsOf(proxyPrefix);
  const found = all.filter((candidate) => candidate === id || candidate.startsWith(`${id}-`));
  if (found.length > 0) return found;
  throw new CommandError(
    `"${name}" is neither a network such as 10.0.0.0/8 nor a list of a proxy that is here. Fetch the lists: overheard ranges update`,
    { exitCode: 2 },
  );
}
