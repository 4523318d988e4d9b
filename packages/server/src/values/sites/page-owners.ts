import { createMemo } from '../memo.ts';
import { placeHost, placesOf, placeText } from './owned-path.ts';
import type { PathPlace } from './owned-path.ts';
import { isPublicSuffix } from './site.ts';
import { domainHost, unwrapAddress } from './web-host.ts';

const hostsMax = 20_000;
/** Only the beginning of a longer path is compared. */
const segmentsMax = 30;

/** The domains and paths of the owners, in their order. */
type OwnerPlaces = ReadonlyArray<{
  readonly domains: readonly string[];
  readonly paths?: readonly string[];
}>;

/**
 * Makes a function that finds the subject that owns the page of an address, as its place in the
 * list; undefined if there is no owner. An owned path takes precedence over the owner of its
 * domain.
 */
export function createPageOwners(
  subjects: OwnerPlaces,
): (address: string, host: string) => number | undefined {
  const pathOwnerOf = createPathOwners(subjects);
  const domainOwnerOf = createDomainOwners(subjects);
  return (address, host) => pathOwnerOf(address, host) ?? domainOwnerOf(host);
}

/**
 * Finds the subject with the longest domain that equals the host or is a parent of it. A domain
 * under which anybody may register (`github.io`, `co.uk`) owns only itself.
 */
export function createDomainOwners(subjects: OwnerPlaces): (host: string) => number | undefined {
  const whole = new Map<string, number>();
  const open = new Set<string>();
  for (const [owner, { domains }] of subjects.entries()) {
    for (const host of domains.map(domainHost)) {
      if (host === undefined) continue;
      whole.set(host, owner);
      if (isPublicSuffix(host)) open.add(host);
    }
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

/** Finds the subject with the longest owned path that equals the page's path or is above it. */
function createPathOwners(
  subjects: OwnerPlaces,
): (address: string, host: string) => number | undefined {
  const owners = new Map<string, number>();
  const hosts = new Set<string>();
  for (const [owner, { paths = [] }] of subjects.entries()) {
    for (const url of paths.map((path) => URL.parse(`https://${path}`))) {
      if (url === null) continue;
      const [place] = placesOf(url);
      owners.set(placeText(place), owner);
      hosts.add(place.host);
    }
  }

  return function pathOwnerOf(address, host) {
    if (hosts.size === 0 || !hosts.has(placeHost(host))) return undefined;
    const url = unwrapAddress(address);
    if (url === undefined) return undefined;
    return placesOf(url)
      .map(find)
      .find((owner) => owner !== undefined);
  };

  function find({ host, segments }: PathPlace): number | undefined {
    for (let count = Math.min(segments.length, segmentsMax); count > 0; count -= 1) {
      const owner = owners.get(placeText({ host, segments: segments.slice(0, count) }));
      if (owner !== undefined) return owner;
    }
    return undefined;
  }
}
