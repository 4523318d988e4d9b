import { sql } from 'kysely';
import type { Insertable, RawBuilder, Selectable, Transaction } from 'kysely';
import { contentId } from '../../values/uuid.ts';
import { hitCounts, mapHitCounts } from '../tables/count-tables.ts';
import type { HitCount } from '../tables/count-tables.ts';
import type { DataTables } from '../schema.ts';
import type { Store } from '../store.ts';

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
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  changes: readonly HitChange[],
): Promise<void> {
  await countByDay(store, transaction, workspaceId, changes);
  await countByPage(store, transaction, workspaceId, changes);
}

/** Adds changes to the counts by day, host and bot. */
export async function countByDay(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  changes: readonly HitChange[],
): Promise<void> {
  const days = new Map<string, DayRow>();
  for (const { after, counts } of countedChanges(changes)) {
    const { bot_name, bot_company, category } = after;
    const [host, date] = [after.host ?? '', after.hit_at.slice(0, 10)];
    addRow(days, JSON.stringify([date, host, bot_name, bot_company, category]), counts, () => ({
      workspace_id: workspaceId,
      date,
      host_hash: contentId('host', [host]),
      bot_hash: contentId('bot', [bot_name, bot_company, category]),
      host,
      bot_name,
      bot_company,
      category,
      ...counts,
    }));
  }
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
}

/** Adds changes to the counts by page. */
export async function countByPage(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  changes: readonly HitChange[],
): Promise<void> {
  const pages = new Map<string, PageRow>();
  for (const { after, counts } of countedChanges(changes)) {
    const [host, { path }] = [after.host ?? '', after];
    addRow(pages, JSON.stringify([host, path]), counts, () => ({
      workspace_id: workspaceId,
      page_hash: pageHash(host, path),
      host,
      path,
      ...counts,
    }));
  }
  await rowStatement(transaction, (rows: readonly PageRow[]) =>
    transaction
      .insertInto('hit_pages')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'page_hash']).doUpdateSet(addHits('hit_pages')),
      )
      .compile(),
  )([...pages.values()]);
}

type Counts = Record<HitCount, number> & {
  first_at: string;
  last_at: string;
  verified_at: string | null;
};

/** What each change adds to counts and takes from them. Leaves out changes that are not counted. */
function* countedChanges(
  changes: readonly HitChange[],
): Generator<{ after: CountedHit; counts: Counts }> {
  for (const { before, after } of changes) {
    const counts = mapHitCounts(() => 0);
    for (const name of classesOf(after)) counts[name] += 1;
    if (before !== undefined) for (const name of classesOf(before)) counts[name] -= 1;
    if (hitCounts.every((name) => counts[name] === 0)) continue;
    const { hit_at: at, verification } = after;
    const verifiedAt = verification === 'verified' ? at : null;
    yield { after, counts: { ...counts, first_at: at, last_at: at, verified_at: verifiedAt } };
  }
}

function addRow<Row extends Pick<PageRow, keyof Counts>>(
  rows: Map<string, Row>,
  key: string,
  added: Counts,
  create: () => Row,
): void {
  const sum: Pick<PageRow, keyof Counts> | undefined = rows.get(key);
  if (sum === undefined) {
    rows.set(key, create());
    return;
  }
  for (const name of hitCounts) sum[name] += added[name];
  if (added.first_at < sum.first_at) sum.first_at = added.first_at;
  if (added.last_at > sum.last_at) sum.last_at = added.last_at;
  if ((added.verified_at ?? '') > (sum.verified_at ?? '')) sum.verified_at = added.verified_at;
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

/** The same as conditions on a stored hit. */
const isInClass: Readonly<Record<HitCount, RawBuilder<boolean>>> = {
  verified: sql`verification = 'verified'`,
  spoofed: sql`verification = 'spoofed'`,
  unverified: sql`verification = 'unverified'`,
  ok: sql`(status between 200 and 299 or status = 304)`,
  redirected: sql`(status between 300 and 399 and status <> 304)`,
  refused: isRefused,
  failed: sql`(status >= 400 and not ${isRefused})`,
};

/** How many of a group of hits meet all conditions; those of a class are named by it. */
export function countOf(
  ...conditions: ReadonlyArray<HitCount | RawBuilder<boolean>>
): RawBuilder<number> {
  const all = conditions.map((each) => (typeof each === 'string' ? isInClass[each] : each));
  return sql<number>`cast(sum(case when ${sql.join(all, sql` and `)} then 1 else 0 end) as integer)`;
}

/** Adds the inserted counts and moments to those of the stored row. */
function addHits(table: 'hit_days' | 'hit_pages') {
  const further = (name: string, isFurther: '<' | '>') => {
    const [added, stored] = [sql.ref(`excluded.${name}`), sql.ref(`${table}.${name}`)];
    const order = sql.raw(isFurther);
    return sql<string>`case when ${stored} is null or ${added} ${order} ${stored} then ${added} else ${stored} end`;
  };
  return {
    ...mapHitCounts(
      (name) => sql<number>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    ),
    first_at: further('first_at', '<'),
    last_at: further('last_at', '>'),
    verified_at: further('verified_at', '>'),
  };
}
