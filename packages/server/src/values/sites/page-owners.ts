import { getDomain, getPublicSuffix, parse } from 'tldts';
import { createMemo } from '../memo.ts';
import { placeHost, placesOf, placeText } from './owned-path.ts';
import type { PathPlace } from './owned-path.ts';
import { domainHost, hostOf, targetOf } from './web-host.ts';

const hostsMax = 20_000;
/** Longer paths are compared by their beginning. */
const segmentsMax = 30;

/** What the owners have, in their order. */
type OwnerPlaces = ReadonlyArray<{
  readonly domains: readonly string[];
  readonly paths?: readonly string[];
}>;

/**
 * Makes a function that finds the subject that owns the page of an address, as its place in the list;
 * undefined if nobody does. An owned path goes before the domain that it is on.
 */
export function createOwners(
  subjects: OwnerPlaces,
): (address: string, host: string) => number | undefined {
  const pathOwnerOf = createPathOwners(subjects);
  const domainOwnerOf = createDomainOwners(subjects);
  return (address, host) => pathOwnerOf(address, host) ?? domainOwnerOf(host);
}

/**
 * The owner of a host is the subject with the longest domain that the host is, or is a subdomain of. A
 * domain under which anybody may register (`github.io`, `co.uk`) owns only itself.
 */
function createDomainOwners(subjects: OwnerPlaces): (host: string) => number | undefined {
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

/** Whether anybody may register a domain under this one: `co.uk`, `github.io`. */
export function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}

/** The owner of a page is the subject with the longest owned path that the page is, or lies below. */
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
    const url = targetOf(address);
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

/** Google's redirects to the pages that Gemini cites. */
const groundingHost = 'vertexaisearch.cloud.google.com';

/**
 * Makes a function that gives the web address to judge a link or source by. Gemini's redirects do not
 * contain their target, so the address is the domain that the source has as its title; a link in the
 * text gets the title of the source with the same address. Undefined if no title is a domain.
 * https://ai.google.dev/gemini-api/docs/google-search
 */
export function createGroundingResolver(
  sources: ReadonlyArray<{ readonly url: string; readonly title?: string | undefined }>,
): (address: string, title?: string) => string | undefined {
  let titles: ReadonlyMap<string, string | undefined> | undefined;

  return function resolve(address, title) {
    if (!address.includes(groundingHost) || hostOf(address) !== groundingHost) return address;
    titles ??= new Map(sources.map((source) => [source.url, source.title]));
    return titleAddress(title ?? titles.get(address));
  };
}

/** `Acme.com`, `https://www.acme.com/pricing`; not a page's title. */
function titleAddress(title: string | undefined): string | undefined {
  const host = /^(?:https?:\/\/)?([\p{L}\p{M}\p{N}.-]+)\.?(?:[/?#]\S*)?$/iu.exec(
    title?.trim() ?? '',
  )?.[1];
  if (host === undefined || !host.includes('.')) return undefined;
  const label = host.replace(/\.$/, '').split('.').at(-1) ?? '';
  return isTopLevel(label.toLowerCase()) ? `https://${host}` : undefined;
}
