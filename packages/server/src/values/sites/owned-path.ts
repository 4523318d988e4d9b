/**
 * A path on a third-party site that belongs to one subject, such as `github.com/acme`. Host and
 * path segments are in normal form, so that two addresses of the same path are equal.
 */
export interface PathPlace {
  readonly host: string;
  /** `['acme', 'repository']` for `/acme/repository/`. No segment contains a `/`. */
  readonly segments: readonly string[];
}

/** The form of addresses on a site that many subjects share. */
interface SharedSite {
  /** The site's hosts. Addresses are stored with the first. */
  readonly hosts: readonly string[];
  /** Subdomains with the same pages, besides `www`, `m` and `mobile`. */
  readonly subdomains?: RegExp;
  /** Whether the case of a path's segments matters. On other sites it does. */
  readonly isCaseKept?: (segments: readonly string[]) => boolean;
  /** The query parameter that names the page, for paths with this beginning. */
  readonly parameter?: { readonly path: string; readonly name: string };
  /** The forms of one page's path. The first one is stored. */
  readonly variants?: (segments: readonly string[]) => ReadonlyArray<readonly string[]>;
}

const never = (): boolean => false;
const languages = /^[a-z]{2}(?:-[a-z]{2})?$/;

const sharedSites: readonly SharedSite[] = [
  { hosts: ['github.com'], isCaseKept: never },
  { hosts: ['gitlab.com'], isCaseKept: never },
  { hosts: ['bitbucket.org'], isCaseKept: never },
  { hosts: ['npmjs.com'], isCaseKept: never },
  { hosts: ['huggingface.co'], isCaseKept: never },
  // YouTube's ids differ by case, its handles do not.
  {
    hosts: ['youtube.com'],
    subdomains: /^music$/,
    isCaseKept: ([first = '']) => /^(?:channel|playlist|watch|shorts|embed|live|v)$/i.test(first),
  },
  { hosts: ['linkedin.com'], subdomains: languages, isCaseKept: never },
  { hosts: ['x.com', 'twitter.com'], isCaseKept: never },
  {
    hosts: ['facebook.com', 'fb.com'],
    subdomains: languages,
    isCaseKept: never,
    parameter: { path: 'profile.php', name: 'id' },
  },
  { hosts: ['instagram.com'], isCaseKept: never },
  { hosts: ['threads.com', 'threads.net'], isCaseKept: never },
  { hosts: ['tiktok.com'], isCaseKept: never },
  { hosts: ['pinterest.com'], subdomains: languages, isCaseKept: never },
  { hosts: ['reddit.com'], subdomains: /^(?:old|new|np)$/, isCaseKept: never },
  { hosts: ['medium.com'], isCaseKept: never },
  { hosts: ['twitch.tv'], isCaseKept: never },
  { hosts: ['vimeo.com'], isCaseKept: never },
  { hosts: ['crunchbase.com'], isCaseKept: never },
  { hosts: ['trustpilot.com'], subdomains: languages, isCaseKept: never },
  { hosts: ['producthunt.com'], isCaseKept: never },
  { hosts: ['g2.com'], isCaseKept: never },
  { hosts: ['capterra.com'], isCaseKept: never },
  { hosts: ['t.me', 'telegram.me'], isCaseKept: never, variants: withoutPreview },
  {
    hosts: ['apps.apple.com', 'itunes.apple.com'],
    isCaseKept: never,
    variants: appleApp,
  },
  {
    hosts: ['play.google.com'],
    parameter: { path: 'store/apps/', name: 'id' },
  },
];

const siteOfHost = new Map(sharedSites.flatMap((site) => site.hosts.map((host) => [host, site])));

/**
 * Whether many subjects have pages on a host, so that the whole host rarely belongs to one of them.
 */
export function isSharedHost(host: string): boolean {
  return siteOfHost.has(baseOf(host).host);
}

/**
 * The normal forms of a web address's path; the first is the one to store. Removes `www`, `m`,
 * `mobile`, the query, the fragment, and trailing and repeated slashes. Decodes percent encodings,
 * and lowers the case if the site ignores it. Applying it to its own result changes nothing.
 */
export function placesOf(url: URL): readonly [PathPlace, ...PathPlace[]] {
  const { host, site } = baseOf(url.hostname);
  const pathSegments = url.pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);
  const [first = pathSegments, ...others] = site?.variants?.(pathSegments) ?? [pathSegments];
  return [toPlace(first), ...others.map(toPlace)];

  function toPlace(segments: readonly string[]): PathPlace {
    const isCaseKept = site === undefined || (site.isCaseKept?.(segments) ?? true);
    const cased = isCaseKept ? segments : segments.map((segment) => segment.toLowerCase());
    const page = pageOf(url, cased, site?.parameter);
    return { host, segments: page === undefined ? cased : [...cased, page] };
  }
}

/** The host under which the pages of a host are compared: `x.com` of `mobile.twitter.com`. */
export function placeHost(host: string): string {
  return baseOf(host).host;
}

/** An owned path as it is stored and shown: `github.com/acme`. */
export function placeText({ host, segments }: PathPlace): string {
  return [host, ...segments].join('/');
}

function baseOf(host: string): { host: string; site: SharedSite | undefined } {
  const bare = host.replace(/\.$/, '').replace(/^(?:www|m|mobile)\.(?=[^.]+\.)/, '');
  const dot = bare.indexOf('.');
  const above = siteOfHost.get(bare.slice(dot + 1));
  const isMirror = above?.subdomains?.test(bare.slice(0, dot)) === true;
  const site = isMirror ? above : siteOfHost.get(bare);
  return { host: site?.hosts[0] ?? bare, site };
}

function decodeSegment(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment).normalize('NFC');
    // If decoded, these characters would change the address or be invisible.
    return /[/?#%\\\p{Cc}\p{Cf}\p{Z}]/u.test(decoded) ? segment : decoded;
  } catch {
    return segment;
  }
}

function pageOf(
  url: URL,
  segments: readonly string[],
  parameter: SharedSite['parameter'],
): string | undefined {
  if (parameter === undefined || !segments.join('/').startsWith(parameter.path)) return undefined;
  const value = url.searchParams.get(parameter.name);
  return value === null || !/^[\w.-]+$/.test(value) ? undefined : `?${parameter.name}=${value}`;
}

/** `/us/app/acme-crm/id123` and `/app/id123` are the same app in any country. */
function appleApp(segments: readonly string[]): ReadonlyArray<readonly string[]> {
  const [country = '', ...rest] = segments;
  const [next = country] = rest;
  const named = isCountry(country) && !isCountry(next) ? rest : segments;
  const id = named.findIndex((segment) => /^id\d+$/i.test(segment));
  return id < 2 ? [named] : [[...named.slice(0, 1), ...named.slice(id)], named];
}

function isCountry(segment: string): boolean {
  return /^[a-z]{2}$/i.test(segment);
}

/** `t.me/s/acme` is the preview of `t.me/acme`. */
function withoutPreview(segments: readonly string[]): ReadonlyArray<readonly string[]> {
  const channel = segments.findIndex(
    (segment, index) => segment.toLowerCase() !== 's' || index === segments.length - 1,
  );
  return [segments.slice(Math.max(0, channel))];
}
