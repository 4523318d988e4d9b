import { isRedirectHost, redirectTarget } from './redirects.ts';

const plain = /^https?:\/\/([a-z0-9.-]+)(?=[/?#]|$)/i;
const redirectsMax = 4;

/**
 * The host that a web address leads to: lower-case, punycode, without `www.` and the root's dot,
 * redirect wrappers unwrapped. Undefined if it isn't an address on the web.
 */
export function hostOf(address: string): string | undefined {
  const simple = plain.exec(address)?.[1];
  if (simple !== undefined) {
    const host = withoutWww(simple.toLowerCase());
    if (!isRedirectHost(host) && isOrdinary(host)) return host;
  }
  return targetHost(address);
}

/** Some sources have no scheme: `example.com/page`. */
export function withScheme(address: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(address) ? address : `https://${address}`;
}

/** The host of a domain as a person may write it: `https://www.Bücher.de/`. */
export function domainHost(domain: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(domain) ? domain : `https://${domain}`;
  const url = URL.parse(address);
  return url === null || url.hostname === '' ? undefined : withoutWww(url.hostname);
}

/**
 * Hosts that need the parser: numeric ones in their many forms, and labels that it would reject.
 */
function isOrdinary(host: string): boolean {
  return /[a-z]$/.test(host) && !host.includes('..') && !host.startsWith('.');
}

function targetHost(address: string): string | undefined {
  const url = unwrapAddress(address);
  return url === undefined ? undefined : withoutWww(url.hostname);
}

/** The web address that an address leads to, redirect wrappers unwrapped. */
export function unwrapAddress(address: string): URL | undefined {
  let url = parseWeb(address);
  for (let count = 0; url !== undefined && count < redirectsMax; count += 1) {
    const target = redirectTarget(url);
    const inner = target === undefined ? undefined : parseWeb(target);
    if (inner === undefined) break;
    url = inner;
  }
  return url;
}

function parseWeb(address: string): URL | undefined {
  const url = URL.parse(address.startsWith('//') ? `https:${address}` : address);
  if (url === null || url.hostname === '') return undefined;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

function withoutWww(host: string): string {
  const bare = host.endsWith('.') ? host.slice(0, -1) : host;
  return bare.startsWith('www.') ? bare.slice(4) : bare;
}
