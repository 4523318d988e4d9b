import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { placesOf, placeText } from '../../values/owned-path.ts';
import { addDays, endOfDay, startOfDay } from '../../values/utc-day.ts';
import { hostOf, targetOf, withScheme } from '../../values/web-host.ts';
import type { DataTables } from '../schema.ts';
import { parseStoredSources } from '../stored-sources.ts';
import { ofStoredPages } from './page-totals.ts';

/** Requests of one bot to one page. The bots of `search` and `user` read for answers. */
export interface BotReads {
  readonly bot_name: string;
  readonly bot_company: string;
  readonly category: 'crawler' | 'search' | 'user';
  readonly reads: number;
  readonly refusals: number;
}

/** One page of the workspace's own sites in a period: what bots got there, and how many runs cite it. */
export interface OwnPage {
  /** Its address in normal form: `acme.com/docs`. */
  readonly page: string;
  /** As hits have it; the host is empty if the log names none. */
  readonly addresses: Array<{ readonly host: string; readonly path: string }>;
  /** At least so many verified requests got the page, and so many 401, 402, 403, 407, 429 or 451. */
  reads: number;
  refusals: number;
  /** Requests that are verified, or may be genuine. */
  requests: number;
  readonly bots: BotReads[];
  /** The last verified request to the page, of any day. */
  lastRequestedAt: string | null;
  /** Ids of the answered runs, of branded prompts too, that link the page or give it as a source. */
  readonly runs: string[];
  lastCitedAt: string | null;
}

export interface OwnPageQuery {
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  /** Whether an address belongs to the brand; the host is that of `hostOf`. */
  readonly isOwn: (address: string, host: string) => boolean;
  /** The host of requests whose log names none: the brand's domain if it has only one. */
  readonly hostUnnamed: string | undefined;
}

/** Files that pages load, and files for crawlers: no answer would cite them. */
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
  const pages = new Map<string, OwnPage>();
  const owned = await addLastRequests(db, workspaceId, { query, pages });
  await addRequests(db, workspaceId, { query, owned });
  for (let date = query.from; date <= query.to; date = addDays(date, 1)) {
    await addCitations(db, workspaceId, { date, isOwn: query.isOwn, pages });
    await setImmediate();
  }
  return [...pages.values()]
    .filter(({ requests, runs }) => requests + runs.length > 0)
    .toSorted((left, right) => (left.page < right.page ? -1 : 1));
}

/** Adds every page that bots requested, with its last request, and returns the pages by their hash. */
async function addLastRequests(
  db: Kysely<DataTables>,
  workspaceId: string,
  { query, pages }: { query: OwnPageQuery; pages: Map<string, OwnPage> },
): Promise<ReadonlyMap<string, OwnPage>> {
  const { isOwn, hostUnnamed } = query;
  const owned = new Map<string, OwnPage>();
  for (const { page_hash: hash, host, path, last_at: lastAt } of await readLastRequests(
    db,
    workspaceId,
  )) {
    // A target such as `//other.example/` or `@other.example` would be another address.
    const isNamed = host !== '' || hostUnnamed !== undefined;
    const page =
      isNamed && path.startsWith('/')
        ? ownPage(`https://${host || (hostUnnamed ?? '')}${path}`, isOwn)
        : undefined;
    if (page === undefined) continue;
    const own = openPage(pages, page);
    owned.set(hash, own);
    own.lastRequestedAt = latest(own.lastRequestedAt, lastAt);
    own.addresses.push({ host, path });
  }
  return owned;
}

/** Adds what bots requested within the period. */
async function addRequests(
  db: Kysely<DataTables>,
  workspaceId: string,
  { query, owned }: { query: OwnPageQuery; owned: ReadonlyMap<string, OwnPage> },
): Promise<void> {
  const sum = (value: ReturnType<typeof sql>) => sql<number>`cast(sum(${value}) as integer)`;
  // A row counts requests by verdict, and apart from that by status: subtract those that may have another
  // verdict.
  const notRead = sql`(redirected + refused + failed)`;
  const doubtful = sql`(spoofed + unverified)`;
  const rows = await db
    .selectFrom('hit_pages')
    .select(({ fn }) => [
      'page_hash',
      fn.min('bot_name').as('bot_name'),
      fn.min('bot_company').as('bot_company'),
      fn.min('category').as('category'),
      sum(sql`case when verified > ${notRead} then verified - ${notRead} else 0 end`).as('reads'),
      sum(sql`case when refused > ${doubtful} then refused - ${doubtful} else 0 end`).as(
        'refusals',
      ),
      sum(sql`verified + unverified`).as('requests'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('date', '>=', query.from)
    .where('date', '<=', query.to)
    .where(ofStoredPages(workspaceId))
    .groupBy(['page_hash', 'bot_hash'])
    .orderBy('bot_name')
    .orderBy('bot_company')
    .orderBy('category')
    .execute();
  for (const { page_hash: hash, requests, ...bot } of rows) {
    const own = owned.get(hash);
    if (own === undefined) continue;
    own.reads += bot.reads;
    own.refusals += bot.refusals;
    own.requests += requests;
    addBot(own, bot);
  }
}

/** Every page that bots requested, with its last verified request: only the last day of each is looked up. */
function readLastRequests(db: Kysely<DataTables>, workspaceId: string) {
  const ofPage = sql`workspace_id = ${workspaceId} and page_hash = totals.page_hash`;
  return db
    .selectFrom('hit_page_totals as totals')
    .select(['page_hash', 'host', 'path'])
    .select(
      sql<string | null>`(select max(verified_at) from hit_pages where ${ofPage}
        and date = (select date from hit_pages where ${ofPage} and verified_at is not null order by date desc limit 1))`.as(
        'last_at',
      ),
    )
    .where('workspace_id', '=', workspaceId)
    .orderBy('page_hash')
    .execute();
}

/** The page may have been requested under several hosts. */
function addBot({ bots }: OwnPage, bot: BotReads): void {
  const last = bots.at(-1);
  const isSame = last?.bot_name === bot.bot_name && last.bot_company === bot.bot_company;
  if (isSame && last.category === bot.category) {
    const [reads, refusals] = [last.reads + bot.reads, last.refusals + bot.refusals];
    bots[bots.length - 1] = { ...bot, reads, refusals };
  } else if (bot.reads + bot.refusals > 0) bots.push(bot);
}

/** A web address in running text or Markdown. */
const writtenAddress = /https?:\/\/[^\s<>()[\]"'`]+/gi;

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
  const runs = await db
    .selectFrom('runs')
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .where('runs.workspace_id', '=', workspaceId)
    .where('run_at', '>=', startOfDay(date))
    .where('run_at', '<', endOfDay(date))
    .where('outcome', '=', 'answered')
    .where('subject_type', '=', 'brand')
    .where('detections.url', 'is not', null)
    .select(['runs.id', 'run_at', 'answer', 'sources', 'url'])
    .orderBy('run_at')
    .orderBy('runs.id')
    .execute();
  for (const { id, run_at: at, answer, sources, url } of runs) {
    const addresses = [
      ...parseStoredSources(sources).map((source) => withScheme(source.url)),
      ...(answer.match(writtenAddress) ?? []).map((text) => text.replace(/[.,;:!?*_]+$/, '')),
      withScheme(url ?? ''),
    ];
    const cited = new Set(addresses.flatMap((address) => ownPage(address, isOwn) ?? []));
    for (const page of cited) {
      const sum = openPage(pages, page);
      sum.runs.push(id);
      sum.lastCitedAt = latest(sum.lastCitedAt, at);
    }
  }
}

function ownPage(address: string, isOwn: OwnPageQuery['isOwn']): string | undefined {
  const [url, host] = [targetOf(address), hostOf(address)];
  if (url === undefined || host === undefined || !isOwn(address, host)) return undefined;
  return asset.test(url.pathname) ? undefined : placeText(placesOf(url)[0]);
}

function openPage(pages: Map<string, OwnPage>, page: string): OwnPage {
  const known = pages.get(page);
  if (known !== undefined) return known;
  const none = { reads: 0, refusals: 0, requests: 0, lastRequestedAt: null, lastCitedAt: null };
  const opened = { page, ...none, addresses: [], bots: [], runs: [] };
  pages.set(page, opened);
  return opened;
}

function latest(left: string | null, right: string | null): string | null {
  return (right ?? '') > (left ?? '') ? right : left;
}
