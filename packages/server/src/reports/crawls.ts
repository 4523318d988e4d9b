import type { CrawlRow } from '@overheard/contract';
import { limits } from '@overheard/contract';
import { sql } from 'kysely';
import { countOf, pageHash } from '../storage/counts/hit-changes.ts';
import { periodDays, periodHits } from '../storage/queries/period-hits.ts';
import type { PeriodHits } from '../storage/queries/period-hits.ts';
import { hitCounts } from '../storage/tables/count-tables.ts';
import type { ReportSource } from './report-source.ts';

/** Selects the hits to count, and the grouping. Without days, all hits. */
export interface CrawlQuery extends PeriodHits {
  readonly by: 'bot' | 'page' | 'day';
}

/** Counts of stored hits by bot, page or day, most hits first. */
export async function readCrawls(source: ReportSource, query: CrawlQuery): Promise<CrawlRow[]> {
  if (query.by === 'page') return readPages(source, query);
  const { db, workspaceId } = source;
  const isBot = query.by === 'bot';
  const keys = isBot ? (['bot_name', 'bot_company', 'category'] as const) : (['date'] as const);
  const rows = await periodDays(db, workspaceId, query)
    .select(keys)
    .select(hitCounts.map((name) => sql<number>`cast(sum(${sql.ref(name)}) as integer)`.as(name)))
    .select(({ fn }) => [
      fn.min<string>('first_at').as('first_at'),
      fn.max<string>('last_at').as('last_at'),
    ])
    .groupBy(keys)
    .orderBy(sql`sum(verified + spoofed + unverified)`, 'desc')
    .orderBy(keys[0], isBot ? 'asc' : 'desc')
    .$if(isBot, (order) => order.orderBy('bot_company').orderBy('category'))
    .limit(limits.reportRowsMax)
    .execute();
  return rows.map((row) => ({ ...allNull, ...row }));
}

type PageCounts = Omit<CrawlRow, keyof typeof allNull> & { host: string; path: string };

/** All hits of a page are counted already. Those of a period or a bot are counted here. */
async function readPages(source: ReportSource, query: CrawlQuery): Promise<CrawlRow[]> {
  const { from, to, botName } = query;
  const isAll = (from ?? to ?? botName) === undefined;
  const counted = isAll ? selectTotals(source, query) : countPages(source, query);
  const { rows } = await sql<PageCounts>`
    with counted as materialized ${counted}
    select * from counted
    where ${hits} >= coalesce((select ${hits} from counted order by 1 desc limit 1 offset ${limits.reportRowsMax - 1}), 0)
    order by ${hits} desc, host, path`.execute(source.db);
  return listedOf(rows).map((row) => ({
    ...allNull,
    ...row,
    host: row.host === '' ? null : row.host,
  }));
}

/** Of the last pages, which have equally many hits, as many as are listed: by their hash. */
function listedOf(rows: readonly PageCounts[]): readonly PageCounts[] {
  if (rows.length <= limits.reportRowsMax) return rows;
  const last = hitsOf(rows.at(-1));
  const tied = rows
    .filter((row) => hitsOf(row) === last)
    .map((row) => ({ row, hash: pageHash(row.host, row.path) }))
    .toSorted((left, right) => (left.hash < right.hash ? -1 : 1));
  const left = limits.reportRowsMax - (rows.length - tied.length);
  const unlisted = new Set(tied.slice(left).map(({ row }) => row));
  return rows.filter((row) => !unlisted.has(row));
}

const columns = ['host', 'path', ...hitCounts, 'first_at', 'last_at'] as const;
const hits = sql`verified + spoofed + unverified`;

function hitsOf(row: PageCounts | undefined): number {
  return row === undefined ? 0 : row.verified + row.spoofed + row.unverified;
}

function selectTotals({ db, workspaceId }: ReportSource, { host }: CrawlQuery) {
  return db
    .selectFrom('hit_pages')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .$if(host !== undefined, (is) => is.where('host', '=', host ?? ''));
}

function countPages({ db, workspaceId }: ReportSource, query: CrawlQuery) {
  return periodHits(db, workspaceId, query)
    .select(sql<string>`coalesce(host, '')`.as('host'))
    .select(({ fn }) => [
      'path',
      ...hitCounts.map((name) => countOf(name).as(name)),
      fn.min<string>('hit_at').as('first_at'),
      fn.max<string>('hit_at').as('last_at'),
    ])
    .groupBy([sql`coalesce(host, '')`, 'path']);
}

/** The columns that a row may be grouped by, in the order of the contract. The others are null. */
const allNull = {
  bot_name: null,
  bot_company: null,
  category: null,
  host: null,
  path: null,
  date: null,
};
