import { getDomain, getPublicSuffix, parse } from 'tldts';
import { createMemo } from '../../../values/memo.ts';
import { domainHost } from './host.ts';

/** Of one domain, which subject it is. */
export interface OwnedDomain {
  readonly domain: string;
  /** Number of the subject. */
  readonly owner: number;
}

const hostsMax = 20_000;

/**
 * Makes a function that tells whose a host is: the subject with the longest domain that the host is,
 * or is a subdomain of. A domain under which anybody may register (`github.io`, `co.uk`) owns
 * itself alone. Undefined where it is nobody's.
 */
export function createOwners(
  domains: readonly OwnedDomain[],
): (host: string) => number | undefined {
  const whole = new Map<string, number>();
  const open = new Set<string>();
  for (const { domain, owner } of domains) {
    const host = domainHost(domain);
    if (host === undefined) continue;
    whole.set(host, owner);
    if (getPublicSuffix(host, { allowPrivateDomains: true }) === host) open.add(host);
  }
  return createMemo(ownerOf, { entriesMax: hostsMax });

  function ownerOf(host: string): number | undefined {
    for (let suffix = host; ; suffix = suffix.slice(suffix.indexOf('.') + 1)) {
      const owner = whole.get(suffix);
      if (owner !== undefined && (suffix === host || !open.has(suffix))) return owner;
      if (!suffix.includes('.')) return undefined;
    }
  }
}

/** The site that a host belongs to, by the public-suffix list: `blog.acme.co.uk` is `acme.co.uk`'s. */
export const siteOf = createMemo((host) => getDomain(host, { allowPrivateDomains: true }) ?? host, {
  entriesMax: hostsMax,
});

/** Whether a label is a top-level domain that exists. */
export const isTopLevel = createMemo(
  (label) => {
    const host = domainHost(`example.${label}`);
    return host !== undefined && parse(host).isIcann === true;
  },
  { entriesMax: hostsMax },
);
