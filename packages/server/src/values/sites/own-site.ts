import { createDomainOwners } from './page-owners.ts';
import { domainHost } from './web-host.ts';

/**
 * Makes a function that finds the own site of a host, as its domain: the longest one that equals the host
 * or is a parent of it. Undefined for any other host, and for none.
 */
export function createOwnSites(
  domains: readonly string[],
): (host: string | null) => string | undefined {
  const ownerOf = createDomainOwners(domains.map((domain) => ({ domains: [domain] })));
  return (host) => {
    const bare = host === null ? undefined : domainHost(host);
    return bare === undefined ? undefined : domains[ownerOf(bare) ?? -1];
  };
}
