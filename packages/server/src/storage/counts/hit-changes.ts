import { sql } from 'kysely';
import type { Insertable, RawBuilder, Selectable, Transaction } from 'kysely';
import { contentId } from '../../values/uuid.ts';
import { hitCounts, mapHitCounts } from '../tables/count-tables.ts';
import type { HitCount } from '../tables/count-tables.ts';
import type { DataTables } from '../schema.ts';
import type { Store } from '../store.ts';
import { addCounts, addToPageTotals } from './page-totals.ts';

type PageRow = Insertable<DataTables['hit_pages']>;
type DayRow = Insertable<DataTables['hit_days']>;

export const countedColumns = [
  'host',
  'path',
  'bot_name',
  'bot_company',
  'category',
  'status',
  'verification',
  'hit_at',
] as const;

/** What is counted of a hit. */
export type CountedHit = Readonly<
  Pick<Selectable<DataTables['hits']>, (typeof countedColumns)[number]>
>;

/** A hit as the counts have it, and as it is now. A new hit has no `before`. */
export interface HitChange<Row = CountedHit> {
  readonly before?: Row | undefined;
  readonly after: Row;
}

/**
 * Whether the counts can follow a change without reading other hits: neither its page nor its bot
 * changes, and it may not have been the last verified one.
 */
export function canFollow({ before, after }: HitChange): boolean {
  if (before === undefined) return true;
  if (before.verification === 'verified' && after.verification !== 'verified') return false;
  return (['host', 'path', 'bot_name', 'bot_company', 'category', 'hit_at'] as const).every(
    (name) => before[name] === after[name],
  );
}

/**
 * Adds changes that the counts can follow, in the transaction that changes the hits. Takes as long as
 * there are changes, however many hits the day has, because clients choose how many requests they send.
 */
export async function countChanges(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  changes: readonly HitChange[],
): Promise<void> {
  const pages = new Map<string, PageRow>();
  const days = new Map<string, DayRow>();
  for (const { before, after } of changes) {
    const counts = mapHitCounts(() => 0);
    for (const name of classesOf(after)) counts[name] += 1;
    if (before !== undefined) for (const name of classesOf(before)) counts[name] -= 1;
    if (hitCounts.every((name) => counts[name] === 0)) continue;
    const { hit_at: at, path, bot_name, bot_company, category, verification } = after;
    const host = after.host ?? '';
    const date = at.slice(0, 10);
    const bot_hash = contentId('bot', [bot_name, bot_company, category]);
    const row = {
      workspace_id: workspaceId,
      date,
      bot_hash,
      host,
      bot_name,
      bot_company,
      category,
      ...counts,
      first_at: at,
      last_at: at,
      verified_at: verification === 'verified' ? at : null,
    };
    const page_hash = pageHash(host, path);
    addRow(pages, `${date} ${page_hash} ${bot_hash}`, { ...row, page_hash, path });
    const host_hash = contentId('host', [host]);
    addRow(days, `${date} ${host_hash} ${bot_hash}`, { ...row, host_hash });
  }
  await rowStatement(transaction, (rows: readonly PageRow[]) =>
    transaction
      .insertInto('hit_pages')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'page_hash', 'date', 'bot_hash'])
          .doUpdateSet(addHits('hit_pages')),
      )
      .compile(),
  )([...pages.values()]);
  await rowStatement(transaction, (rows: readonly DayRow[]) =>
    transaction
      .insertInto('hit_days')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'date', 'host_hash', 'bot_hash'])
          .doUpdateSet(addHits('hit_days')),
      )
      .compile(),
  )([...days.values()]);
  await addToPageTotals({ rowStatement }, transaction, [...pages.values()]);
}

type Counted = Pick<PageRow, HitCount | 'first_at' | 'last_at' | 'verified_at'>;

function addRow<Row extends Counted>(rows: Map<string, Row>, key: string, row: Row): void {
  const sum: Counted | undefined = rows.get(key);
  if (sum === undefined) {
    rows.set(key, row);
    return;
  }
  for (const name of hitCounts) sum[name] += row[name];
  if (row.first_at < sum.first_at) sum.first_at = row.first_at;
  if (row.last_at > sum.last_at) sum.last_at = row.last_at;
  if ((row.verified_at ?? '') > (sum.verified_at ?? '')) sum.verified_at = row.verified_at ?? null;
}

/** The key of a page in `hit_pages`; `host` is empty if the log names none. */
export function pageHash(host: string, path: string): string {
  return contentId('page', [host, path]);
}

const refusals = [401, 402, 403, 407, 429, 451];

/** A condition on statuses that mean that the site refuses a bot. */
export const isRefused: RawBuilder<boolean> = sql.raw(`status in (${refusals.join(', ')})`);

/** The counts that a hit is in. A hit of unknown status is in no class of status. */
function classesOf({ verification, status }: CountedHit): readonly HitCount[] {
  if (status === null || status < 200) return [verification];
  if (status < 300 || status === 304) return [verification, 'ok'];
  if (status < 400) return [verification, 'redirected'];
  return [verification, refusals.includes(status) ? 'refused' : 'failed'];
}

/** Adds the inserted counts and moments to those of the stored row. */
function addHits(table: 'hit_days' | 'hit_pages') {
  const further = (name: string, isFurther: '<' | '>') => {
    const [added, stored] = [sql.ref(`excluded.${name}`), sql.ref(`${table}.${name}`)];
    const order = sql.raw(isFurther);
    return sql<string>`case when ${stored} is null or ${added} ${order} ${stored} then ${added} else ${stored} end`;
  };
  return {
    ...addCounts(table),
    first_at: further('first_at', '<'),
    last_at: further('last_at', '>'),
    verified_at: further('verified_at', '>'),
  };
}
