import { parse } from 'tldts';

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

/** A redirect wrapper: an address that contains another address, and where. */
interface Redirect {
  /** The host, without `www.`. A leading dot includes its subdomains. */
  readonly host: string;
  /** The required beginning of the path. */
  readonly path: string;
  /** Query parameters that may contain the address. The first one with an address counts. */
  readonly parameters?: readonly string[];
  /** Takes the address from the path instead of a parameter. */
  readonly inPath?: (path: string) => string | undefined;
}

const redirects: readonly Redirect[] = [
  { host: 'google.com', path: '/url', parameters: ['q', 'url'] },
  { host: 'google.com', path: '/imgres', parameters: ['imgrefurl'] },
  { host: 'google.com', path: '/amp/', inPath: ampTarget('/amp/') },
  { host: '.ampproject.org', path: '/c/', inPath: ampTarget('/c/') },
  { host: 'bing.com', path: '/ck/a', parameters: ['u'] },
  { host: 'duckduckgo.com', path: '/l/', parameters: ['uddg'] },
  { host: 'r.search.yahoo.com', path: '/', inPath: yahooTarget },
  { host: 'youtube.com', path: '/redirect', parameters: ['q'] },
  { host: 'l.facebook.com', path: '/l.php', parameters: ['u'] },
  { host: 'lm.facebook.com', path: '/l.php', parameters: ['u'] },
  { host: 'l.instagram.com', path: '/', parameters: ['u'] },
  { host: 'linkedin.com', path: '/redir/redirect', parameters: ['url'] },
  { host: 'linkedin.com', path: '/safety/go', parameters: ['url'] },
  { host: 'out.reddit.com', path: '/', parameters: ['url'] },
  { host: 'slack-redir.net', path: '/link', parameters: ['url'] },
  { host: 't.umblr.com', path: '/redirect', parameters: ['z'] },
  { host: 'steamcommunity.com', path: '/linkfilter/', parameters: ['url', 'u'] },
  { host: '.safelinks.protection.outlook.com', path: '/', parameters: ['url'] },
];

const byHost = Map.groupBy(
  redirects.filter(({ host }) => !host.startsWith('.')),
  ({ host }) => host,
);
const bySubdomain = redirects.filter(({ host }) => host.startsWith('.'));

/** Whether an address at this host (without `www.`) may be a redirect. */
function isRedirectHost(host: string): boolean {
  return (
    byHost.has(host) ||
    isGoogle(host) ||
    bySubdomain.some((redirect) => host.endsWith(redirect.host))
  );
}

/** The address that a redirect wrapper leads to, as text; undefined for other addresses. */
function redirectTarget(url: URL): string | undefined {
  const bare = url.hostname.replace(/^www\./, '');
  const host = isGoogle(bare) ? 'google.com' : bare;
  const redirectsOfHost = byHost.get(host) ?? bySubdomain.filter((one) => host.endsWith(one.host));
  const redirect = redirectsOfHost.find(({ path }) => url.pathname.startsWith(path));
  if (redirect === undefined) return undefined;
  if (redirect.inPath !== undefined) return redirect.inPath(url.pathname);
  return (redirect.parameters ?? [])
    .flatMap((name) => url.searchParams.getAll(name))
    .map(decodeTarget)
    .find((value) => /^(?:https?:)?\/\//i.test(value));
}

const country = /^(?:com?\.)?[a-z]{2}$/;

/** A national Google domain such as `google.de` or `google.co.uk`, not `google.example.com`. */
function isGoogle(host: string): boolean {
  if (!host.startsWith('google.')) return false;
  const { isIcann, publicSuffix } = parse(host);
  return isIcann === true && host === `google.${publicSuffix}` && country.test(publicSuffix ?? '');
}

/** Bing writes `a1` and then the address in base64url. */
function decodeTarget(value: string): string {
  if (!/^a1[\w-]{8,}$/.test(value)) return value;
  return Buffer.from(value.slice(2), 'base64url').toString('utf8');
}

function ampTarget(prefix: string): (path: string) => string {
  return (path) => {
    const rest = path.slice(prefix.length);
    return `https://${rest.startsWith('s/') ? rest.slice(2) : rest}`;
  };
}

function yahooTarget(path: string): string | undefined {
  const value = /\/RU=([^/]+)/.exec(path)?.[1];
  if (value === undefined) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
