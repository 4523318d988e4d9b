import { getDomain, getPublicSuffix, parse } from 'tldts';
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
  const known = new Map<string, number | undefined>();

  return function ownerOf(host) {
    if (known.has(host)) return known.get(host);
    if (known.size >= hostsMax) known.clear();
    const owner = find(host);
    known.set(host, owner);
    return owner;
  };

  function find(host: string): number | undefined {
    for (let suffix = host; ; suffix = suffix.slice(suffix.indexOf('.') + 1)) {
      const owner = whole.get(suffix);
      if (owner !== undefined && (suffix === host || !open.has(suffix))) return owner;
      if (!suffix.includes('.')) return undefined;
    }
  }
}

const sites = new Map<string, string>();

/** The site that a host belongs to, by the public-suffix list: `blog.acme.co.uk` is `acme.co.uk`'s. */
export function siteOf(host: string): string {
  const known = sites.get(host);
  if (known !== undefined) return known;
  if (sites.size >= hostsMax) sites.clear();
  const site = getDomain(host, { allowPrivateDomains: true }) ?? host;
  sites.set(host, site);
  return site;
}

const topLevels = new Map<string, boolean>();

/** Whether a label is a top-level domain that exists. */
export function isTopLevel(label: string): boolean {
  const known = topLevels.get(label);
  if (known !== undefined) return known;
  if (topLevels.size >= hostsMax) topLevels.clear();
  const host = domainHost(`example.${label}`);
  const isKnown = host !== undefined && parse(host).isIcann === true;
  topLevels.set(label, isKnown);
  return isKnown;
}
