import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { DataTables } from '../schema.ts';
import type { Store } from '../store.ts';
import { countByDay, countByPage, countedColumns } from './hit-changes.ts';
import type { CountedHit } from './hit-changes.ts';

/** Hits and counts read at a time. A day can have a million, and a path 60,000 characters. */
const rowsAtOnce = 256;

/**
 * Counts the hits of a UTC day by bot and host again. Runs in the transaction that settles the day.
 * Returns whether anything changed.
 */
export async function recountDay(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  date: string,
): Promise<boolean> {
  const digest = () =>
    digestOf<DayKey>((after) => selectDays(transaction, workspaceId, { date, after }));
  const before = await digest();
  await transaction
    .deleteFrom('hit_days')
    .where('workspace_id', '=', workspaceId)
    .where('date', '=', date)
    .execute();
  for await (const hits of readDay(transaction, workspaceId, date)) {
    const changes = hits.map((after) => ({ after }));
    await countByDay(store, transaction, workspaceId, changes);
  }
  return before !== (await digest());
}

/**
 * Counts all hits by page again, because no index leads from a page to its hits. Returns whether anything
 * changed.
 */
export async function recountPages(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<boolean> {
  const digest = () => digestOf<PageKey>((after) => selectPages(transaction, workspaceId, after));
  const before = await digest();
  await transaction.deleteFrom('hit_pages').where('workspace_id', '=', workspaceId).execute();
  for (const date of await readDates(transaction, workspaceId, 'hits')) {
    for await (const hits of readDay(transaction, workspaceId, date)) {
      const changes = hits.map((after) => ({ after }));
      await countByPage(store, transaction, workspaceId, changes);
    }
  }
  return before !== (await digest());
}

/** Counts all hits again. Returns whether anything changed. */
export async function rebuildHitCounts(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<boolean> {
  const hits = await readDates(transaction, workspaceId, 'hits');
  const counted = await readDates(transaction, workspaceId, 'hit_days');
  return recountHits(store, transaction, workspaceId, [...new Set([...hits, ...counted])]);
}

/** Counts the pages and some UTC days again. Returns whether anything changed. */
export async function recountHits(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  dates: readonly string[],
): Promise<boolean> {
  let hasChanged = await recountPages(store, transaction, workspaceId);
  for (const date of dates) {
    const isOther = await recountDay(store, transaction, workspaceId, date);
    hasChanged ||= isOther;
  }
  return hasChanged;
}

async function readDates(
  db: Kysely<DataTables>,
  workspaceId: string,
  table: 'hits' | 'hit_days',
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom<'hits' | 'hit_days'>(table)
    .select(sql<string>`${table === 'hits' ? sql`substr(hit_at, 1, 10)` : sql`date`}`.as('date'))
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .execute();
  return rows.map(({ date }) => date).toSorted();
}

/** A hash of counts, read in slices: clients can make up hosts and pages. */
async function digestOf<Row>(read: (after: Row | undefined) => Promise<Row[]>): Promise<string> {
  const hash = createHash('sha256');
  for (let after: Row | undefined; ;) {
    const rows = await read(after);
    for (const row of rows) hash.update(JSON.stringify(row));
    after = rows.at(-1);
    if (after === undefined) return hash.digest('hex');
  }
}

type DayKey = Readonly<Record<'host_hash' | 'bot_hash', string>>;
type PageKey = Readonly<Record<'page_hash', string>>;

function selectDays(
  db: Kysely<DataTables>,
  workspaceId: string,
  { date, after }: { date: string; after: DayKey | undefined },
) {
  return db
    .selectFrom('hit_days')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('date', '=', date)
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('host_hash', 'bot_hash'),
        '>',
        tuple(after?.host_hash ?? '', after?.bot_hash ?? ''),
      ),
    )
    .orderBy('host_hash')
    .orderBy('bot_hash')
    .limit(rowsAtOnce)
    .execute();
}

function selectPages(db: Kysely<DataTables>, workspaceId: string, after: PageKey | undefined) {
  return db
    .selectFrom('hit_pages')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('page_hash', '>', after?.page_hash ?? '')
    .orderBy('page_hash')
    .limit(rowsAtOnce)
    .execute();
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
      .limit(rowsAtOnce)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}
