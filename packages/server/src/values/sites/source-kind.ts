import { sourceKinds } from '@overheard/contract';
import type { SourceRow } from '@overheard/contract';
import listed from './source-sites.json' with { type: 'json' };
import { hostOf } from './web-host.ts';

/** What sort of page or site a source is. */
export type SourceKind = SourceRow['kind'];

/** A page that answers cite. */
export interface CitedPage {
  readonly url: string;
  /** The registrable domain. */
  readonly site: string;
  readonly title: string | null;
}

type Sited = Exclude<SourceKind, 'own' | 'competitor' | 'other'>;

const sitedKinds: ReadonlySet<string> = new Set<Sited>([
  'review',
  'list',
  'news',
  'reference',
  'forum',
  'video',
  'social',
  'shop',
  'authority',
  'docs',
]);

const kindOfName = new Map(
  listed.flatMap(({ kind, sites }) =>
    sites.flatMap((site) => (isSited(kind) ? [[site, kind] as const] : [])),
  ),
);

function isSited(kind: string): kind is Sited {
  return sitedKinds.has(kind);
}

interface Pattern {
  readonly kind: Sited;
  readonly form: RegExp;
}

/** Domains that only public bodies, universities and the military get, of any country. */
const reserved =
  /\.(?:gov|mil|edu|int)$|\.(?:gov|gob|gouv|govt|gub|go|mil|edu|ac)\.[a-z]{2}$|\.(?:gv\.at|nhs\.uk)$/;

/** What the host of a page says, before anything else of an unlisted site. */
const hosts: readonly Pattern[] = [
  { kind: 'forum', form: /forum/ },
  { kind: 'shop', form: /\.(?:shop|store)$/ },
];

/** What a subdomain says. */
const subdomains: readonly Pattern[] = [
  { kind: 'docs', form: /^(?:docs?|developers?|dev|api|support|help|kb|learn|wiki)\./ },
  { kind: 'forum', form: /^(?:community|discuss|discourse|answers)\./ },
  { kind: 'shop', form: /^(?:shop|store|checkout|buy|[a-z]+-shop)\./ },
];

/** What the path of a page says. The paths of shops come first: they sell best-sellers. */
const paths: readonly Pattern[] = [
  {
    kind: 'shop',
    form: /\/(?:products?|collections|product-category|shop|store|buy|dp|cart|checkouts?|item|itm)\/|\/checkout(?:\/|\?|$)|[?&](?:variant|sku)=/,
  },
  {
    kind: 'list',
    form: /(?:^|[/_-])(?:best|top-?\d+|top-(?:ten|picks|rated)|\d+-best|top-[a-z]+(?:-[a-z]+)*-(?:for-)?(?:in-)?20\d\d|alternatives|under-\d+|roundup|buying-guides?|gift-guide|bester?|besten|meilleure?s?|mejor(?:es)?|migliori|melhores)(?:[/_.-]|$)/,
  },
  {
    kind: 'review',
    form: /(?:^|[/_-])(?:reviews?|tested|comparisons?|versus|vs|test|erfahrungen|avis)(?:[/_.-]|$)/,
  },
  { kind: 'forum', form: /\/(?:forums?|threads?|topic|questions|community|discussions?)\// },
  {
    kind: 'docs',
    form: /\/(?:docs?|documentation|help|support|faqs?|kb|knowledge-?base|manuals?)(?:\/|$)/,
  },
  { kind: 'news', form: /\/(?:news|press|press-releases?)\// },
  { kind: 'reference', form: /\/(?:wiki|glossary|definitions?|encyclopedia)\// },
  { kind: 'video', form: /\/(?:videos?|watch)(?:\/|\?|$)/ },
];

/** What the title of a page says. */
const titles: readonly Pattern[] = [
  {
    kind: 'list',
    form: /(?:^|\W)(?:best|top \d+|\d+ top|alternatives to|besten?|beste|meilleure?s?|mejor(?:es)?|migliori|melhores|лучш\p{L}+)(?:\W|$)|おすすめ|ランキング|最佳|추천/iu,
  },
  {
    kind: 'review',
    form: /(?:^|\W)(?:reviews?|reviewed|tested|vs\.?|versus|im test|testbericht)(?:\W|$)/iu,
  },
];

/** What the name of an unlisted site says, if its pages say nothing. */
const names: readonly Pattern[] = [
  { kind: 'review', form: /review|rating|compare|tested/ },
  { kind: 'list', form: /^(?:the)?(?:best|top\d+)/ },
  { kind: 'shop', form: /shop|store|mart\.|outlet|outfitters|warehouse|supply|supplies|buy/ },
  { kind: 'reference', form: /wiki|pedia|dictionary/ },
  { kind: 'news', form: /news|times\.|gazette|herald|tribune|chronicle\.|magazine/ },
];

/** Kinds of sites whose single pages may be a list or a test. */
const editorial: ReadonlySet<SourceKind> = new Set(['news', 'review', 'list', 'reference']);

/**
 * The kind of a page that belongs to no subject: by the list of sites, then by its host, path and
 * title. A page of a magazine that ranks products is a `list`, and one that tests them a `review`.
 */
export function kindOfPage({ url, site, title }: CitedPage): SourceKind {
  const host = (hostOf(url) ?? site).replace(/^www\./, '');
  const known = kindOfHost(host, site);
  if (known !== undefined && !editorial.has(known)) return known;
  const path = pathOf(url);
  const told = firstOf(paths, path) ?? (title === null ? undefined : firstOf(titles, title));
  if (known === undefined) {
    const under = host === site ? undefined : firstOf(subdomains, host);
    return under ?? firstOf(hosts, host) ?? told ?? 'other';
  }
  return told === 'list' || told === 'review' ? told : known;
}

/**
 * The kind of a site that belongs to no subject: by the list of sites, or the kind of most of its
 * cited pages, or its name.
 */
export function kindOfSite(
  site: string,
  pages: ReadonlyArray<CitedPage & { runs: number }>,
): SourceKind {
  const known = listedKind(site);
  if (known !== undefined) return known;
  const runsOf = new Map<SourceKind, number>();
  for (const page of pages) {
    const kind = kindOfPage(page);
    runsOf.set(kind, (runsOf.get(kind) ?? 0) + page.runs);
  }
  // The order of the pages is the database's, so a tie must not depend on it.
  const [most] = [...runsOf].toSorted(
    ([kind, left], [other, right]) =>
      right - left || sourceKinds.indexOf(kind) - sourceKinds.indexOf(other),
  );
  if (most !== undefined && most[0] !== 'other') return most[0];
  return firstOf(names, site) ?? 'other';
}

/** The kind of a site on the list, or of a public body; undefined for others. */
export function listedKind(site: string): SourceKind | undefined {
  return kindOfHost(site, site);
}

function kindOfHost(host: string, site: string): Sited | undefined {
  const anywhere = `${site.slice(0, site.indexOf('.'))}.*`;
  const known = kindOfName.get(host) ?? kindOfName.get(site) ?? kindOfName.get(anywhere);
  return known ?? (reserved.test(host) ? 'authority' : undefined);
}

function firstOf(patterns: readonly Pattern[], text: string): Sited | undefined {
  return patterns.find(({ form }) => form.test(text))?.kind;
}

/** The path and query, in lower case. */
function pathOf(url: string): string {
  const address = URL.parse(url);
  return address === null ? '' : `${address.pathname}${address.search}`.toLowerCase();
}
