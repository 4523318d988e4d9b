import { limits } from '@overheard/contract';
import { sql } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import { countOf, isRefused } from '../../storage/counts/hit-changes.ts';
import { periodHits } from '../../storage/queries/period-hits.ts';
import { readCitingEngines } from '../read-to-citation.ts';
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
  /** The engines whose answers of the period link to the page. */
  readonly cited_by: readonly string[];
}

/**
 * Pages that bots could not read in a period: first those that answers cite, then those that were most often
 * refused.
 */
export async function readUnreadPages(
  source: ReportSource,
  filter: HitFilter,
): Promise<UnreadPage[]> {
  const groups = Map.groupBy(await selectRefusals(source, filter), keyOf);
  if (groups.size === 0) return [];
  const citedBy = await readCitingEngines(source, filter);
  const pages = [...groups.values()]
    .map((refusals) => toPage(refusals, citedBy))
    .toSorted(worstFirst);
  const listed = pages.slice(0, limits.reportRowsMax);
  const hits = await countHits(source, filter, listed);
  return listed.map((page) => ({ ...page, hits: hits.get(keyOf(page)) ?? 0 }));
}

/** No host has a space. */
function keyOf({ host, path }: Pick<UnreadPage, 'host' | 'path'>): string {
  return `${host ?? ''} ${path}`;
}

type Refusals = Awaited<ReturnType<typeof selectRefusals>>[number];

function selectRefusals({ db, workspaceId }: ReportSource, filter: HitFilter) {
  return (
    periodHits(db, workspaceId, filter)
      .select(['host', 'path', 'bot_name', sql<number>`status`.as('status')])
      .select(({ fn }) => [
        sql<number>`cast(count(*) as integer)`.as('count'),
        fn.max<string>('hit_at').as('last_at'),
      ])
      // This condition must equal that of the index.
      .where('status', '>=', 400)
      .where(sql<boolean>`(${isRefused} or status >= 500)`)
      .where('verification', '<>', 'spoofed')
      .groupBy(['host', 'path', 'bot_name', 'status'])
      .execute()
  );
}

function toPage(
  refusals: readonly Refusals[],
  citedBy: Awaited<ReturnType<typeof readCitingEngines>>,
): UnreadPage {
  const count = (fits: (status: number) => boolean): number =>
    refusals.reduce((all, each) => all + (fits(each.status) ? each.count : 0), 0);
  const [{ host, path } = { host: null, path: '' }] = refusals;
  return {
    host,
    path,
    refused: count((status) => status < 500),
    failed: count((status) => status >= 500),
    hits: 0,
    statuses: [...new Set(refusals.map(({ status }) => status))].toSorted(
      (left, right) => left - right,
    ),
    bots: [...new Set(refusals.map(({ bot_name: name }) => name))].toSorted(),
    cited_by: citedBy({ host, path }),
    last_at:
      refusals
        .map(({ last_at: at }) => at)
        .toSorted()
        .at(-1) ?? '',
  };
}

function worstFirst(left: UnreadPage, right: UnreadPage): number {
  const isFirst = keyOf(left) < keyOf(right);
  const cited = Number(right.cited_by.length > 0) - Number(left.cited_by.length > 0);
  return cited || right.refused - left.refused || right.failed - left.failed || (isFirst ? -1 : 1);
}

/** All hits of some pages that are not spoofed. */
async function countHits(
  { db, workspaceId }: ReportSource,
  filter: HitFilter,
  pages: readonly UnreadPage[],
): Promise<ReadonlyMap<string, number>> {
  if (pages.length === 0) return new Map();
  const rows = await periodHits(db, workspaceId, filter)
    .select(['host', 'path', countOf(sql`verification <> 'spoofed'`).as('hits')])
    .where('path', 'in', pad(pages.map(({ path }) => path)))
    .groupBy(['host', 'path'])
    .execute();
  return new Map(rows.map(({ hits, ...page }) => [keyOf(page), hits]));
}
