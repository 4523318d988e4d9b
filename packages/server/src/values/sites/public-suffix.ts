import { getDomain, getPublicSuffix, parse } from 'tldts';
import { createMemo } from '../memo.ts';
import { domainHost } from './web-host.ts';

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
