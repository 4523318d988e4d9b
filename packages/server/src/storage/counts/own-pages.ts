import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { placesOf, placeText } from '../../values/sites/owned-path.ts';
import { addDays } from '../../values/time/utc-day.ts';
import { hostOf, unwrapAddress } from '../../values/sites/web-host.ts';
import { periodHits } from '../queries/period-hits.ts';
import type { DataTables } from '../schema.ts';
import { countOf } from './hit-changes.ts';
import { addressesOf, readLinkedPages, readLinkingRuns } from './linked-pages.ts';

/**
 * One page of the workspace's own sites in a period, with the requests of bots and the runs that
 * cite it.
 */
export interface OwnPage {
  /** The page's address in normal form: `acme.com/docs`. */
  readonly page: string;
  /** Host and path as in the hits. The host is empty if the log names none. */
  readonly addresses: Array<{ readonly host: string; readonly path: string }>;
  /**
   * The verified requests that got the page (`reads`), and those that got 401, 402, 403, 407, 429 or
   * 451 (`refusals`).
   */
  reads: number;
  refusals: number;
  /**
   * The same for bots that read for answers only. Bots of the category `crawler` read for a
   * training corpus.
   */
  readsForAnswers: number;
  refusalsForAnswers: number;
  /** Number of requests that are verified or may be genuine. */
  requests: number;
  /** When the last verified request to the page was, on any day. */
  lastRequestedAt: string | null;
  /**
   * Ids of the answered runs that link to the page or give it as a source, including runs of
   * branded prompts.
   */
  readonly runs: string[];
  lastCitedAt: string | null;
}

export interface OwnPageQuery {
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  /** Whether an address belongs to the brand. The host is in the form of `hostOf`. */
  readonly isOwn: (address: string, host: string) => boolean;
  /**
   * The host to assume for requests whose log names none: the brand's domain if it has only one.
   */
  readonly hostUnnamed: string | undefined;
}

/** Files that pages load, and files for crawlers. No answer would cite them. */
const asset =
  /\.(?:avif|atom|bmp|css|eot|gif|gz|ico|jpe?g|js|json|map|mjs|mp[34]|otf|png|rss|svg|ttf|txt|wasm|webm|webmanifest|webp|woff2?|xml|zip)$|\/\.well-known\//i;

/**
 * Reads the workspace's own pages that a bot requests or a run cites in a period, in the order of their
 * addresses. `lastRequestedAt` may be before the period. Files such as images are left out.
 */
export async function readOwnPages(
  db: Kysely<DataTables>,
  workspaceId: string,
  query: OwnPageQuery,
): Promise<OwnPage[]> {
  const pages = await readRequestedPages(db, workspaceId, query);
  for (let date = query.from; date <= query.to; date = addDays(date, 1)) {
    await addCitations(db, workspaceId, { date, isOwn: query.isOwn, pages });
    await setImmediate();
  }
  return sortPages(pages).filter(({ requests, runs }) => requests + runs.length > 0);
}

/**
 * Reads the own pages that verified bots read in a period but no run cites, in the order of their
 * addresses.
 */
export async function readUncitedPages(
  db: Kysely<DataTables>,
  workspaceId: string,
  query: OwnPageQuery,
): Promise<OwnPage[]> {
  const pages = await readRequestedPages(db, workspaceId, query);
  const read = sortPages(pages).filter(({ reads }) => reads > 0);
  if (read.length === 0) return [];
  const cited = new Set<string>();
  for await (const url of readLinkedPages(db, workspaceId, query)) {
    const page = ownPage(url, query.isOwn);
    if (page !== undefined) cited.add(page);
  }
  return read.filter(({ page }) => !cited.has(page));
}

function sortPages(pages: ReadonlyMap<string, OwnPage>): OwnPage[] {
  return [...pages.values()].toSorted((left, right) => (left.page < right.page ? -1 : 1));
}

/** A request that got the page. A log may have no status. */
export const isReadPage = sql<boolean>`coalesce(status < 300 or status = 304, true)`;
/** Of a group of hits, the verified ones that got the page, and those that were refused. */
export const reads = countOf('verified', isReadPage);
export const refusals = countOf('verified', 'refused');

/** Reads the own pages that have hits, with their requests in a period. */
async function readRequestedPages(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, isOwn, hostUnnamed }: OwnPageQuery,
): Promise<Map<string, OwnPage>> {
  const pages = new Map<string, OwnPage>();
  const owned = new Map<string, OwnPage>();
  const stored = await db
    .selectFrom('hit_pages')
    .select(['host', 'path', 'verified_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('page_hash')
    .execute();
  for (const { host, path, verified_at: at } of stored) {
    // Skip targets such as `//other.example/` or `@other.example`, which would give another host.
    const isNamed = host !== '' || hostUnnamed !== undefined;
    const page =
      isNamed && path.startsWith('/')
        ? ownPage(`https://${host || (hostUnnamed ?? '')}${path}`, isOwn)
        : undefined;
    if (page === undefined) continue;
    const counts = openPage(pages, page);
    owned.set(addressKey(host, path), counts);
    counts.addresses.push({ host, path });
    counts.lastRequestedAt = latest(counts.lastRequestedAt, at);
  }
  if (owned.size > 0) await addRequests(db, workspaceId, { from, to, owned });
  return pages;
}

/** Adds the requests of bots within the period. */
async function addRequests(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, owned }: { from: string; to: string; owned: ReadonlyMap<string, OwnPage> },
): Promise<void> {
  const isForAnswers = sql<boolean>`category <> 'crawler'`;
  const requested = await periodHits(db, workspaceId, { from, to })
    .select([
      'host',
      'path',
      reads.as('reads'),
      refusals.as('refusals'),
      countOf(isForAnswers, 'verified', isReadPage).as('reads_for_answers'),
      countOf(isForAnswers, 'verified', 'refused').as('refusals_for_answers'),
      countOf(sql`verification <> 'spoofed'`).as('requests'),
    ])
    .groupBy(['host', 'path'])
    .execute();
  for (const row of requested) {
    const counts = owned.get(addressKey(row.host, row.path));
    if (counts === undefined) continue;
    counts.reads += row.reads;
    counts.refusals += row.refusals;
    counts.readsForAnswers += row.reads_for_answers;
    counts.refusalsForAnswers += row.refusals_for_answers;
    counts.requests += row.requests;
  }
}

/** Identifies an address. No host has a space. */
export function addressKey(host: string | null, path: string): string {
  return `${host ?? ''} ${path}`;
}

/** Reads only answers that cite the brand by a link, because no others can cite its pages. */
async function addCitations(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    date,
    isOwn,
    pages,
  }: { date: string; isOwn: OwnPageQuery['isOwn']; pages: Map<string, OwnPage> },
): Promise<void> {
  for (const run of await readLinkingRuns(db, workspaceId, { date })) {
    const cited = new Set(addressesOf(run).flatMap((address) => ownPage(address, isOwn) ?? []));
    for (const page of cited) {
      const counts = openPage(pages, page);
      counts.runs.push(run.id);
      counts.lastCitedAt = latest(counts.lastCitedAt, run.run_at);
    }
  }
}

/** The page of an address in normal form: `acme.com/docs`. Undefined for a foreign address or a file. */
export function ownPage(address: string, isOwn: OwnPageQuery['isOwn']): string | undefined {
  const [url, host] = [unwrapAddress(address), hostOf(address)];
  if (url === undefined || host === undefined || !isOwn(address, host)) return undefined;
  return asset.test(url.pathname) ? undefined : placeText(placesOf(url)[0]);
}

function openPage(pages: Map<string, OwnPage>, page: string): OwnPage {
  const existing = pages.get(page);
  if (existing !== undefined) return existing;
  const opened = {
    page,
    addresses: [],
    reads: 0,
    refusals: 0,
    readsForAnswers: 0,
    refusalsForAnswers: 0,
    requests: 0,
    lastRequestedAt: null,
    runs: [],
    lastCitedAt: null,
  };
  pages.set(page, opened);
  return opened;
}

function latest(left: string | null, right: string | null): string | null {
  return (right ?? '') > (left ?? '') ? right : left;
}
