import { getDomain, getPublicSuffix, parse } from 'tldts';
import { createMemo } from '../memo.ts';
import { domainHost, hostOf, unwrapAddress, withScheme } from './web-host.ts';

const hostsMax = 20_000;

/** Whether anybody may register a domain under this one: `co.uk`, `github.io`. */
export function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
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

/** Query parameters that say where a visitor came from. They do not select the page. */
const tracking = /^(?:utm_\w+|gclid|fbclid|msclkid|srsltid|ref|referrer|source)$/i;

/** Removes such parameters and the fragment from an address, and sorts the others. */
export function withoutTracking(address: URL): URL {
  const url = new URL(address);
  const names = Array.from(url.searchParams.keys()).filter((name) => tracking.test(name));
  for (const name of names) url.searchParams.delete(name);
  url.searchParams.sort();
  url.hash = '';
  return url;
}

/** A page in normal form, and its site. Undefined if it isn't an address on the web. */
export function pageOf(
  address: string,
): { readonly url: string; readonly site: string } | undefined {
  const fullAddress = withScheme(address);
  const [target, host] = [unwrapAddress(fullAddress), hostOf(fullAddress)];
  if (target === undefined || host === undefined) return undefined;
  return { url: withoutTracking(target).href, site: siteOf(host) };
}

/** Google's redirects to the pages that Gemini cites. */
const groundingHost = 'vertexaisearch.cloud.google.com';

/**
 * Makes a function that returns the web address by which to judge a link or source. A Gemini
 * redirect does not contain its target, so its address is the domain in the title of the source
 * with that address. Undefined if no title is a domain.
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
