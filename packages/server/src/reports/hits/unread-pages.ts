import { limits } from '@overheard/contract';
import { sql } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import { isRefused, pageHash } from '../../storage/counts/hit-changes.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { ReportSource } from '../report-source.ts';
import type { HitFilter } from './hit-totals.ts';

/**
 * A page that bots requested but could not read. Spoofed hits do not count, because refusing them
 * is right.
 */
export interface UnreadPage {
  readonly host: string | null;
  readonly path: string;
  /** Hits that the site refused: 401, 402, 403, 407, 429 or 451. */
  readonly refused: number;
  /** Hits that the server failed to serve: 5xx. */
  readonly failed: number;
  /** All hits of the page in the period that are not spoofed. */
  readonly hits: number;
  /** The statuses of refusals and failures, and the bots that got one, by name. */
  readonly statuses: readonly number[];
  readonly bots: readonly string[];
  readonly last_at: string;
}

/** Pages that bots could not read in a period, first those that were most often refused. */
export async function readUnreadPages(
  source: ReportSource,
  filter: HitFilter,
): Promise<UnreadPage[]> {
  const groups = Map.groupBy(await selectRefusals(source, filter), ({ host, path }) =>
    pageHash(host ?? '', path),
  );
  const pages = [...groups]
    .map(([hash, refusals]) => toPage(hash, refusals))
    .toSorted(mostRefusedFirst);
  const listed = pages.slice(0, limits.reportRowsMax);
  const hits = await countHits(
    source,
    filter,
    listed.map(({ hash }) => hash),
  );
  return listed.map(({ hash, ...page }) => ({
    ...page,
    hits: hits.get(hash) ?? 0,
  }));
}

type Refusals = Awaited<ReturnType<typeof selectRefusals>>[number];

function selectRefusals({ db, workspaceId }: ReportSource, { from, to, host, botName }: HitFilter) {
  return (
    db
      .selectFrom('hits')
      .select(['host', 'path', 'bot_name', sql<number>`status`.as('status')])
      .select(({ fn }) => [
        sql<number>`cast(count(*) as integer)`.as('count'),
        fn.max<string>('hit_at').as('last_at'),
      ])
      .where('workspace_id', '=', workspaceId)
      .where('hit_at', '>=', startOfDay(from))
      .where('hit_at', '<', endOfDay(to))
      // This condition must equal that of the index.
      .where('status', '>=', 400)
      .where(sql<boolean>`(${isRefused} or status >= 500)`)
      .where('verification', '<>', 'spoofed')
      .$if(host !== undefined, (query) => query.where('host', '=', host ?? ''))
      .$if(botName !== undefined, (query) => query.where('bot_name', '=', botName ?? ''))
      .groupBy(['host', 'path', 'bot_name', 'status'])
      .execute()
  );
}

function toPage(
  hash: string,
  refusals: readonly Refusals[],
): UnreadPage & { readonly hash: string } {
  const count = (fits: (status: number) => boolean): number =>
    refusals.reduce((all, each) => all + (fits(each.status) ? each.count : 0), 0);
  const [first] = refusals;
  return {
    hash,
    host: first?.host ?? null,
    path: first?.path ?? '',
    refused: count((status) => status < 500),
    failed: count((status) => status >= 500),
    hits: 0,
    statuses: [...new Set(refusals.map(({ status }) => status))].toSorted(
      (left, right) => left - right,
    ),
    bots: [...new Set(refusals.map(({ bot_name: name }) => name))].toSorted(),
    last_at:
      refusals
        .map(({ last_at: at }) => at)
        .toSorted()
        .at(-1) ?? '',
  };
}

function mostRefusedFirst(left: UnreadPage, right: UnreadPage): number {
  const key = ({ host, path }: UnreadPage) => `${host ?? ''} ${path}`;
  return (
    right.refused - left.refused || right.failed - left.failed || (key(left) < key(right) ? -1 : 1)
  );
}

/** All hits of some pages that are not spoofed. */
async function countHits(
  { db, workspaceId }: ReportSource,
  { from, to, botName }: HitFilter,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom('hit_pages')
    .select(['page_hash', sql<number>`cast(sum(verified + unverified) as integer)`.as('hits')])
    .where('workspace_id', '=', workspaceId)
    .where('page_hash', 'in', pad(hashes))
    .where('date', '>=', from)
    .where('date', '<=', to)
    .$if(botName !== undefined, (query) => query.where('bot_name', '=', botName ?? ''))
    .groupBy('page_hash')
    .execute();
  return new Map(rows.map(({ page_hash: hash, hits }) => [hash, hits]));
}
