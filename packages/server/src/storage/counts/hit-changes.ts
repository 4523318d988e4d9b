import { sql } from 'kysely';
import type { Insertable, RawBuilder, Selectable, Transaction } from 'kysely';
import { contentId } from '../../values/uuid.ts';
import { botDayCounts, hitCounts, mapHitCounts } from '../tables/count-tables.ts';
import type { BotDayCount, HitCount } from '../tables/count-tables.ts';
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
  'evidence',
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
 * changes, and it may not have been the last one that is verified, or that got the page.
 */
export function canFollow({ before, after }: HitChange): boolean {
  if (before === undefined) return true;
  if (before.verification === 'verified' && after.verification !== 'verified') return false;
  if (readAt(before) !== null && readAt(after) === null) return false;
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
  const days = sumChanges(changes, ({ host, bot_name: name, bot_company, category, hit_at: at }) =>
    JSON.stringify([at.slice(0, 10), host ?? '', name, bot_company, category]),
  );
  await rowStatement(transaction, (rows: readonly DayRow[]) =>
    transaction
      .insertInto('hit_days')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'date', 'host_hash', 'bot_hash'])
          .doUpdateSet(addHits('hit_days', [...hitCounts, ...botDayCounts])),
      )
      .compile(),
  )(
    days.map(({ hit: { bot_name, bot_company, category, host, hit_at: at }, sums }) => ({
      workspace_id: workspaceId,
      date: at.slice(0, 10),
      host_hash: contentId('host', [host ?? '']),
      bot_hash: contentId('bot', [bot_name, bot_company, category]),
      host: host ?? '',
      bot_name,
      bot_company,
      category,
      ...sums,
    })),
  );
}

/** Adds changes to the counts by page. */
export async function countByPage(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  changes: readonly HitChange[],
): Promise<void> {
  const pages = sumChanges(changes, ({ host, path }) => JSON.stringify([host ?? '', path]));
  await rowStatement(transaction, (rows: readonly PageRow[]) =>
    transaction
      .insertInto('hit_pages')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'page_hash'])
          .doUpdateSet(addHits('hit_pages', hitCounts)),
      )
      .compile(),
  )(
    pages.map(({ hit: { host, path }, sums }) => ({
      workspace_id: workspaceId,
      page_hash: pageHash(host ?? '', path),
      host: host ?? '',
      path,
      ...mapHitCounts((name) => sums[name]),
      first_at: sums.first_at,
      last_at: sums.last_at,
      verified_at: sums.verified_at,
    })),
  );
}

type Sums = Record<HitCount | BotDayCount, number> & {
  first_at: string;
  last_at: string;
  verified_at: string | null;
  read_at: string | null;
};

/** What changes add to the counts of each group, and take from them. Each group has one of its hits. */
function sumChanges(
  changes: readonly HitChange[],
  keyOf: (hit: CountedHit) => string,
): ReadonlyArray<{ readonly hit: CountedHit; readonly sums: Sums }> {
  const groups = new Map<string, { readonly hit: CountedHit; readonly sums: Sums }>();
  for (const { before, after } of changes) {
    const added = countsOf(after);
    const taken = before === undefined ? [] : countsOf(before);
    if (added.length === taken.length && added.every((name) => taken.includes(name))) continue;
    const { hit_at: at } = after;
    const key = keyOf(after);
    const group = groups.get(key) ?? { hit: after, sums: noHits(at) };
    groups.set(key, group);
    const { sums } = group;
    for (const name of added) sums[name] += 1;
    for (const name of taken) sums[name] -= 1;
    if (at < sums.first_at) sums.first_at = at;
    if (at > sums.last_at) sums.last_at = at;
    if (after.verification === 'verified') sums.verified_at = later(sums.verified_at, at);
    sums.read_at = later(sums.read_at, readAt(after));
  }
  return [...groups.values()];
}

function noHits(at: string): Sums {
  const counts = { genuine_refused: 0, limited: 0, charged: 0, broken: 0, proxied: 0 };
  const moments = { first_at: at, last_at: at, verified_at: null, read_at: null };
  return { ...mapHitCounts(() => 0), ...counts, ...moments };
}

function later(left: string | null, right: string | null): string | null {
  return (right ?? '') > (left ?? '') ? right : left;
}

/** The key of a page in `hit_pages`; `host` is empty if the log names none. */
export function pageHash(host: string, path: string): string {
  return contentId('page', [host, path]);
}

const refusals = [401, 402, 403, 407, 429, 451];

/** A condition on statuses that mean that the site refuses a bot. */
export const isRefused: RawBuilder<boolean> = sql.raw(`status in (${refusals.join(', ')})`);

/** The counts that a hit is in. A hit of unknown status is in no class of status. */
function countsOf({ verification, status, evidence }: CountedHit): Array<HitCount | BotDayCount> {
  const ofStatus = classOf(status);
  const counts: Array<HitCount | BotDayCount> = [verification, ...ofStatus];
  if (verification === 'unverified' && proxyEvidence.test(evidence ?? '')) counts.push('proxied');
  if (verification !== 'verified' || status === null) return counts;
  if (ofStatus.includes('refused')) counts.push('genuine_refused');
  if (status === 429) counts.push('limited');
  if (status === 402) counts.push('charged');
  if (status >= 500) counts.push('broken');
  return counts;
}

/** Evidence that the address is not the client's. */
const proxyEvidence = /^\{"reason":"(?:proxy|private)_address"/;

function classOf(status: number | null): readonly HitCount[] {
  if (status === null || status < 200) return [];
  if (status < 300 || status === 304) return ['ok'];
  if (status < 400) return ['redirected'];
  return [refusals.includes(status) ? 'refused' : 'failed'];
}

/** When a verified hit got the page; null if it did not. A log may have no status. */
function readAt({ verification, status, hit_at: at }: CountedHit): string | null {
  const gotPage = status === null || status < 300 || status === 304;
  return verification === 'verified' && gotPage ? at : null;
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
function addHits(table: 'hit_days' | 'hit_pages', counts: ReadonlyArray<HitCount | BotDayCount>) {
  const columns = (name: string) => [sql.ref(`excluded.${name}`), sql.ref(`${table}.${name}`)];
  const sum = (name: string) => {
    const [added, stored] = columns(name);
    return sql<number>`${stored} + ${added}`;
  };
  const further = (name: string, isFurther: '<' | '>') => {
    const [added, stored] = columns(name);
    const order = sql.raw(isFurther);
    return sql<string>`case when ${stored} is null or ${added} ${order} ${stored} then ${added} else ${stored} end`;
  };
  return {
    ...Object.fromEntries(counts.map((name) => [name, sum(name)])),
    first_at: further('first_at', '<'),
    last_at: further('last_at', '>'),
    verified_at: further('verified_at', '>'),
    ...(table === 'hit_days' && { read_at: further('read_at', '>') }),
  };
}
