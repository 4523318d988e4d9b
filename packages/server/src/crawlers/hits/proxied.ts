import { throughProxy } from '../verify/many-operators.ts';
import type { Proxies } from './find-proxies.ts';
import { ownVerdict } from './hit.ts';
import type { Hit } from './hit.ts';
import { dayOf } from './identity.ts';
import type { Identity } from './identity.ts';

/** Whether most of the log about a hit comes from its address. */
export function isProxied(
  { address, host, hit_at: hitAt }: Pick<Hit, 'address' | 'host' | 'hit_at'>,
  { proxies, identity }: { proxies: Proxies; identity: Identity },
): boolean {
  if (address === null || proxies.classes.size === 0) return false;
  return proxies.has({
    address: identity.classOf('address', address),
    site: identity.classOf('site', host ?? ''),
    day: dayOf(Date.parse(hitAt)),
  });
}

/** A hit as it is to be stored where its address may be a proxy's. */
export function storedThrough(
  hit: Hit,
  context: { readonly proxies: Proxies; readonly identity: Identity },
): Hit {
  const own = isProxied(hit, context) ? ownVerdict(hit) : undefined;
  if (own === undefined) return hit;
  const { verification, evidence } = throughProxy(own);
  return { ...hit, verification, evidence: JSON.stringify(evidence) };
}
