import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Insertable, Kysely, RawBuilder, Transaction } from 'kysely';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { contentId } from '../../values/uuid.ts';
import { inChunks } from '../chunks.ts';
import { hitCounts } from '../tables/count-tables.ts';
import type { DataTables } from '../schema.ts';
import { addCounts, addToPageTotals, takeFromPageTotals } from './page-totals.ts';

type PageRow = Insertable<DataTables['hit_pages']>;
type DayRow = Insertable<DataTables['hit_days']>;

/** Most rows in one statement, because SQLite accepts 32,766 parameters. */
const rowsMax = 500;
/**
 * Hits counted at a time. A day can have a million pages and a path 60,000 characters, too many for
 * memory.
 */
const hitsAtOnce = 64;
const datesAtOnce = 64;

/**
 * Counts the hits of some UTC days again, by bot and host and by bot and page. Runs in the
 * transaction that settles the days. Returns whether anything changed.
 */
export async function deriveHitCounts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  dates: readonly string[],
): Promise<boolean> {
  let hasChanged = false;
  for (const chunk of inChunks(dates, datesAtOnce)) {
    const before = new Map<string, string>();
    for (const date of chunk) before.set(date, await digestDay(transaction, workspaceId, date));
    const stored = chunk.filter((date) => before.get(date) !== '');
    if (stored.length > 0) await removeDates(transaction, workspaceId, stored);
    for (const date of chunk) {
      for await (const pages of countPages(transaction, workspaceId, date)) {
        await addToPages(transaction, pages);
        await addToPageTotals(transaction, pages);
        await addToDays(transaction, pages);
      }
      hasChanged ||= before.get(date) !== (await digestDay(transaction, workspaceId, date));
    }
  }
  return hasChanged;
}

/** A hash of a day's counts by host, read in slices: clients can make up hosts. Empty without counts. */
async function digestDay(
  db: Kysely<DataTables>,
  workspaceId: string,
  date: string,
): Promise<string> {
  const hash = createHash('sha256');
  let last = { host_hash: '', bot_hash: '' };
  for (;;) {
    const rows = await db
      .selectFrom('hit_days')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('date', '=', date)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('host_hash', 'bot_hash'), '>', tuple(last.host_hash, last.bot_hash)),
      )
      .orderBy('host_hash')
      .orderBy('bot_hash')
      .limit(rowsMax)
      .execute();
    for (const row of rows) hash.update(JSON.stringify(row));
    const end = rows.at(-1);
    if (end === undefined) return last.host_hash === '' ? '' : hash.digest('hex');
    last = end;
  }
}

/**
 * Removes the counts of some days. Takes many days at once, because no index leads from a day to its
 * pages: each statement reads all pages.
 */
async function removeDates(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  dates: readonly string[],
): Promise<void> {
  await takeFromPageTotals(transaction, workspaceId, dates);
  for (const table of ['hit_days', 'hit_pages'] as const) {
    await transaction
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('date', 'in', dates)
      .execute();
  }
}

/** Counts all hits again. Returns whether anything changed. */
export async function rebuildHitCounts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<boolean> {
  const date = sql<string>`substr(hit_at, 1, 10)`;
  const hits = await transaction
    .selectFrom('hits')
    .select(date.as('date'))
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .execute();
  const stored = await transaction
    .selectFrom('hit_days')
    .select('date')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .execute();
  await removePages(transaction, workspaceId);
  const dates = new Set([...hits, ...stored].map((row) => row.date));
  return deriveHitCounts(transaction, workspaceId, [...dates].toSorted());
}

/** Removes all counts by page, which is quicker than subtracting them from the totals. */
async function removePages(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  for (const table of ['hit_pages', 'hit_page_totals'] as const) {
    await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
  }
}

/** A condition on statuses that mean that the site refuses a bot. */
export const isRefused: RawBuilder<boolean> = sql`status in (401, 402, 403, 407, 429, 451)`;

/** The condition of each count. A hit of unknown status is in no class of status. */
const conditions = {
  verified: sql`verification = 'verified'`,
  spoofed: sql`verification = 'spoofed'`,
  unverified: sql`verification = 'unverified'`,
  ok: sql`status between 200 and 299 or status = 304`,
  redirected: sql`status between 300 and 399 and status <> 304`,
  refused: isRefused,
  failed: sql`status >= 400 and not (${isRefused})`,
};

/** Counts the hits of a day by bot and page, in slices from the first moment to the last. */
async function* countPages(
  db: Kysely<DataTables>,
  workspaceId: string,
  date: string,
): AsyncGenerator<PageRow[]> {
  const end = endOfDay(date);
  for (let from = startOfDay(date); from < end;) {
    const next = await db
      .selectFrom('hits')
      .select('hit_at')
      .where('workspace_id', '=', workspaceId)
      .where('hit_at', '>', from)
      .where('hit_at', '<', end)
      .orderBy('hit_at')
      .offset(hitsAtOnce)
      .limit(1)
      .executeTakeFirst();
    const to = next?.hit_at ?? end;
    yield await countSlice(db, workspaceId, { date, from, to });
    from = to;
  }
}

/** Counts the hits from one moment up to another, which is excluded. */
async function countSlice(
  db: Kysely<DataTables>,
  workspaceId: string,
  { date, from, to }: { date: string; from: string; to: string },
): Promise<PageRow[]> {
  const host = sql<string>`coalesce(host, '')`;
  const rows = await db
    .selectFrom('hits')
    .select([host.as('host'), 'path', 'bot_name', 'bot_company', 'category'])
    .select(hitCounts.map((name) => countIf(conditions[name]).as(name)))
    .select(({ fn }) => [
      fn.min<string>('hit_at').as('first_at'),
      fn.max<string>('hit_at').as('last_at'),
      sql<string | null>`max(case when ${conditions.verified} then hit_at end)`.as('verified_at'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('hit_at', '>=', from)
    .where('hit_at', '<', to)
    .groupBy([host, 'path', 'bot_name', 'bot_company', 'category'])
    .execute();
  return rows.map((row) => ({
    workspace_id: workspaceId,
    page_hash: pageHash(row.host, row.path),
    date,
    bot_hash: contentId('bot', [row.bot_name, row.bot_company, row.category]),
    ...row,
  }));
}

/** The key of a page in `hit_pages`; `host` is empty if the log names none. */
export function pageHash(host: string, path: string): string {
  return contentId('page', [host, path]);
}

function countIf(condition: ReturnType<typeof sql>) {
  return sql<number>`cast(sum(case when ${condition} then 1 else 0 end) as integer)`;
}

/** Adds the counts of a slice to those of the slices before it. */
async function addToPages(
  transaction: Transaction<DataTables>,
  pages: readonly PageRow[],
): Promise<void> {
  for (const chunk of inChunks(pages, rowsMax)) {
    await transaction
      .insertInto('hit_pages')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'page_hash', 'date', 'bot_hash'])
          .doUpdateSet(addSlice('hit_pages')),
      )
      .execute();
  }
}

/** Adds the counts of a slice to those of its day, by host and bot. */
async function addToDays(
  transaction: Transaction<DataTables>,
  pages: readonly PageRow[],
): Promise<void> {
  const days = new Map<string, DayRow>();
  for (const { path: _path, page_hash: _page, ...page } of pages) {
    const key = `${page.host} ${page.bot_hash}`;
    const day = days.get(key);
    if (day === undefined) {
      days.set(key, { ...page, host_hash: contentId('host', [page.host]) });
      continue;
    }
    for (const name of hitCounts) day[name] += page[name];
    if (page.first_at < day.first_at) day.first_at = page.first_at;
    if (page.last_at > day.last_at) day.last_at = page.last_at;
    if ((page.verified_at ?? '') > (day.verified_at ?? '')) {
      day.verified_at = page.verified_at ?? null;
    }
  }
  for (const chunk of inChunks([...days.values()], rowsMax)) {
    await transaction
      .insertInto('hit_days')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'date', 'host_hash', 'bot_hash'])
          .doUpdateSet(addSlice('hit_days')),
      )
      .execute();
  }
}

/** Adds a slice to what the slices before it counted, which are earlier. */
function addSlice(table: 'hit_days' | 'hit_pages') {
  return {
    ...addCounts(table),
    last_at: sql<string>`excluded.last_at`,
    verified_at: sql<string>`coalesce(excluded.verified_at, ${sql.ref(`${table}.verified_at`)})`,
  };
}
