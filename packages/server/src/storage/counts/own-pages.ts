import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { placesOf, placeText } from '../../values/sites/owned-path.ts';
import { addDays } from '../../values/time/utc-day.ts';
import { hostOf, unwrapAddress } from '../../values/sites/web-host.ts';
import { inChunks, pad } from '../chunks.ts';
import type { DataTables } from '../schema.ts';
import { addressesOf, readLinkedPages, readLinkingRuns } from './linked-pages.ts';
import { ofStoredPages } from './page-totals.ts';

/**
 * One page of the workspace's own sites in a period, with the requests of bots and the runs that
 * cite it.
 */
export interface OwnPage {
  /** The page's address in normal form: `acme.com/docs`. */
  readonly page: string;
  /** Host and path as in the hits. The host is empty if the log names none. */
  readonly addresses: Array<{
    readonly host: string;
    readonly path: string;
    readonly hash: string;
  }>;
  /**
   * Lower bounds of the verified requests that got the page (`reads`), and of those that got 401,
   * 402, 403, 407, 429 or 451 (`refused`).
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
  await addLastRequests(db, workspaceId, [...pages.values()]);
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

export const sum = (value: ReturnType<typeof sql>) => sql<number>`cast(sum(${value}) as integer)`;
// A row counts requests by verdict and, separately, by status. Subtract requests that may have
// another verdict.
const notRead = sql`(redirected + refused + failed)`;
const doubtful = sql`(spoofed + unverified)`;
export const reads = sql`case when verified > ${notRead} then verified - ${notRead} else 0 end`;
export const refusals = sql`case when refused > ${doubtful} then refused - ${doubtful} else 0 end`;

/** Reads the own pages that have hits, with their requests in a period. */
async function readRequestedPages(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, isOwn, hostUnnamed }: OwnPageQuery,
): Promise<Map<string, OwnPage>> {
  const pages = new Map<string, OwnPage>();
  const owned = new Map<string, OwnPage>();
  const stored = await db
    .selectFrom('hit_page_totals')
    .select(['page_hash', 'host', 'path'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('page_hash')
    .execute();
  for (const { page_hash: hash, host, path } of stored) {
    // Skip targets such as `//other.example/` or `@other.example`, which would give another host.
    const isNamed = host !== '' || hostUnnamed !== undefined;
    const page =
      isNamed && path.startsWith('/')
        ? ownPage(`https://${host || (hostUnnamed ?? '')}${path}`, isOwn)
        : undefined;
    if (page === undefined) continue;
    const counts = openPage(pages, page);
    owned.set(hash, counts);
    counts.addresses.push({ host, path, hash });
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
  const forAnswers = (value: ReturnType<typeof sql>) =>
    sum(sql`case when category = 'crawler' then 0 else ${value} end`);
  const requested = await db
    .selectFrom('hit_pages')
    .select([
      'page_hash',
      sum(reads).as('reads'),
      sum(refusals).as('refusals'),
      forAnswers(reads).as('reads_for_answers'),
      forAnswers(refusals).as('refusals_for_answers'),
      sum(sql`verified + unverified`).as('requests'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .where(ofStoredPages(workspaceId))
    .groupBy('page_hash')
    .execute();
  for (const row of requested) {
    const counts = owned.get(row.page_hash);
    if (counts === undefined) continue;
    counts.reads += row.reads;
    counts.refusals += row.refusals;
    counts.readsForAnswers += row.reads_for_answers;
    counts.refusalsForAnswers += row.refusals_for_answers;
    counts.requests += row.requests;
  }
}

/** Adds the last verified request of each page, which needs only the last day of each. */
export async function addLastRequests(
  db: Kysely<DataTables>,
  workspaceId: string,
  pages: readonly OwnPage[],
): Promise<void> {
  const ofPage = sql`workspace_id = ${workspaceId} and page_hash = totals.page_hash`;
  for (const [hashes, pageOf] of eachByHash(pages)) {
    const rows = await db
      .selectFrom('hit_page_totals as totals')
      .select('page_hash')
      .select(
        sql<string | null>`(select max(verified_at) from hit_pages where ${ofPage}
        and date = (select date from hit_pages where ${ofPage} and verified_at is not null order by date desc limit 1))`.as(
          'last_at',
        ),
      )
      .where('workspace_id', '=', workspaceId)
      .where('page_hash', 'in', hashes)
      .execute();
    for (const { page_hash: hash, last_at: lastAt } of rows) {
      const page = pageOf.get(hash);
      if (page !== undefined) page.lastRequestedAt = latest(page.lastRequestedAt, lastAt);
    }
  }
}

const pagesAtOnce = 256;

/** Yields a few pages at a time: all their hashes, and a map from each hash to its page. */
export function* eachByHash(
  pages: readonly OwnPage[],
): Generator<readonly [hashes: string[], pageOf: ReadonlyMap<string, OwnPage>]> {
  for (const chunk of inChunks(pages, pagesAtOnce)) {
    const pageOf = new Map(
      chunk.flatMap((page) => page.addresses.map(({ hash }) => [hash, page] as const)),
    );
    // Cited pages may have no requests, and PostgreSQL accepts no empty list.
    if (pageOf.size > 0) yield [pad([...pageOf.keys()]), pageOf];
  }
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

function ownPage(address: string, isOwn: OwnPageQuery['isOwn']): string | undefined {
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
