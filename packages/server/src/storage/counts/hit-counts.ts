import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { inChunks } from '../chunks.ts';
import type { DataTables } from '../schema.ts';
import type { Store } from '../store.ts';
import { countChanges, countedColumns } from './hit-changes.ts';
import type { CountedHit } from './hit-changes.ts';
import { takeFromPageTotals } from './page-totals.ts';

/** Most rows in one statement, because SQLite accepts 32,766 parameters. */
const rowsMax = 500;
/** Hits counted at a time. A day can have a million, and a path 60,000 characters. */
const hitsAtOnce = 256;
const datesAtOnce = 64;

/**
 * Counts the hits of some UTC days again, by bot and host and by bot and page. Runs in the
 * transaction that settles the days. Returns whether anything changed.
 */
export async function deriveHitCounts(
  store: Pick<Store, 'rowStatement'>,
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
      for await (const hits of readDay(transaction, workspaceId, date)) {
        const changes = hits.map((after) => ({ after }));
        await countChanges(store, transaction, workspaceId, changes);
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
  store: Pick<Store, 'rowStatement'>,
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
  return deriveHitCounts(store, transaction, workspaceId, [...dates].toSorted());
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

/** Reads the hits of a day in slices, because a day may be too long for memory. */
async function* readDay(
  db: Kysely<DataTables>,
  workspaceId: string,
  date: string,
): AsyncGenerator<readonly CountedHit[]> {
  // No id sorts after this one.
  let after = { hit_at: startOfDay(date), id: '~' };
  for (;;) {
    const { hit_at: from, id } = after;
    const rows = await db
      .selectFrom('hits')
      .select(['id', ...countedColumns])
      .where('workspace_id', '=', workspaceId)
      .where('hit_at', '>=', from)
      .where('hit_at', '<', endOfDay(date))
      .where((where) => where.or([where('hit_at', '>', from), where('id', '<', id)]))
      .orderBy('hit_at')
      .orderBy('id', 'desc')
      .limit(hitsAtOnce)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}
