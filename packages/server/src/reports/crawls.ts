import type { CrawlRow } from '@overheard/contract';
import { limits } from '@overheard/contract';
import { sql } from 'kysely';
import { pad } from '../storage/chunks.ts';
import { hitCounts } from '../storage/tables/count-tables.ts';
import { ofStoredPages } from '../storage/counts/page-totals.ts';
import type { ReportSource } from './report-source.ts';

/** Selects the hits to count, and the grouping. Without days, all hits. */
export interface CrawlQuery {
  readonly by: 'bot' | 'page' | 'day';
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly host?: string | undefined;
  readonly botName?: string | undefined;
}

/** Counts of stored hits by bot, page or day, most hits first. */
export async function readCrawls(source: ReportSource, query: CrawlQuery): Promise<CrawlRow[]> {
  if (query.by === 'page') return readPages(source, query);
  const isBot = query.by === 'bot';
  const keys = isBot ? (['bot_name', 'bot_company', 'category'] as const) : (['date'] as const);
  const rows = await selectCounts(source, 'hit_days', query)
    .select(keys)
    .select(summed)
    .groupBy(keys)
    .orderBy(hits, 'desc')
    .orderBy(keys[0], isBot ? 'asc' : 'desc')
    .$if(isBot, (order) => order.orderBy('bot_company').orderBy('category'))
    .limit(limits.reportRowsMax)
    .execute();
  return rows.map((row) => ({ ...allNull, ...row }));
}

/** Finds the pages with the most hits first: only these are counted in full. */
async function readPages(source: ReportSource, query: CrawlQuery): Promise<CrawlRow[]> {
  const { from, to, botName } = query;
  if ((from ?? to ?? botName) === undefined) return readTotals(source, query);
  const most = await selectCounts(source, 'hit_pages', query)
    .$if(from !== undefined || to !== undefined, (is) =>
      is.where(ofStoredPages(source.workspaceId)),
    )
    // Order only by the key, whose index has this order, so that nothing is sorted.
    .select('page_hash')
    .groupBy('page_hash')
    .orderBy(hits, 'desc')
    .orderBy('page_hash')
    .limit(limits.reportRowsMax)
    .execute();
  if (most.length === 0) return [];
  const hashes = pad(most.map((row) => row.page_hash));
  const rows = await selectCounts(source, 'hit_pages', query)
    .where('page_hash', 'in', hashes)
    .select(({ fn }) => [fn.min<string>('host').as('host'), fn.min<string>('path').as('path')])
    .select(summed)
    .groupBy('page_hash')
    .orderBy(hits, 'desc')
    .orderBy('host')
    .orderBy('path')
    .execute();
  return rows.map((row) => ({ ...allNull, ...row, host: row.host === '' ? null : row.host }));
}

/** Reads pages over all bots and days. Only the first and last day of each need a lookup. */
async function readTotals(
  { db, workspaceId }: ReportSource,
  { host }: CrawlQuery,
): Promise<CrawlRow[]> {
  const most = db
    .selectFrom('hit_page_totals')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .$if(host !== undefined, (query) => query.where('host', '=', host ?? ''))
    .orderBy(sql`verified + spoofed + unverified`, 'desc')
    .orderBy('page_hash')
    .limit(limits.reportRowsMax);
  const ofDay = (moment: 'min(first_at)' | 'max(last_at)', day: 'min(date)' | 'max(date)') =>
    sql<string>`(select ${sql.raw(moment)} from hit_pages
      where workspace_id = ${workspaceId} and page_hash = most.page_hash and date = (select ${sql.raw(day)}
        from hit_pages where workspace_id = ${workspaceId} and page_hash = most.page_hash))`;
  const rows = await db
    .selectFrom(most.as('most'))
    .select(['host', 'path', ...hitCounts])
    .select([
      ofDay('min(first_at)', 'min(date)').as('first_at'),
      ofDay('max(last_at)', 'max(date)').as('last_at'),
    ])
    .orderBy(sql`verified + spoofed + unverified`, 'desc')
    .orderBy('host')
    .orderBy('path')
    .execute();
  return rows.map((row) => ({ ...allNull, ...row, host: row.host === '' ? null : row.host }));
}

const hits = sql`sum(verified + spoofed + unverified)`;
const sum = (column: string) => sql<number>`cast(sum(${sql.ref(column)}) as integer)`;
const summed = [
  ...hitCounts.map((name) => sum(name).as(name)),
  sql<string>`min(first_at)`.as('first_at'),
  sql<string>`max(last_at)`.as('last_at'),
];

function selectCounts(
  { db, workspaceId }: ReportSource,
  table: 'hit_days' | 'hit_pages',
  { from, to, host, botName }: CrawlQuery,
) {
  return db
    .selectFrom<'hit_days' | 'hit_pages'>(table)
    .where('workspace_id', '=', workspaceId)
    .$if(from !== undefined, (query) => query.where('date', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('date', '<=', to ?? ''))
    .$if(host !== undefined, (query) => query.where('host', '=', host ?? ''))
    .$if(botName !== undefined, (query) => query.where('bot_name', '=', botName ?? ''));
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
