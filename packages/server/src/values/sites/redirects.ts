import { parse } from 'tldts';

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
export function isRedirectHost(host: string): boolean {
  return (
    byHost.has(host) ||
    isGoogle(host) ||
    bySubdomain.some((redirect) => host.endsWith(redirect.host))
  );
}

/** The address that a redirect wrapper leads to, as text; undefined for other addresses. */
export function redirectTarget(url: URL): string | undefined {
  const bare = url.hostname.replace(/^www\./, '');
  const host = isGoogle(bare) ? 'google.com' : bare;
  const known = byHost.get(host) ?? bySubdomain.filter((one) => host.endsWith(one.host));
  const redirect = known.find(({ path }) => url.pathname.startsWith(path));
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
