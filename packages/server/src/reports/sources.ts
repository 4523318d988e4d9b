import { setImmediate } from 'node:timers/promises';
import { limits } from '@overheard/contract';
import type { SourceRow } from '@overheard/contract';
import {
  addSources,
  countSources,
  noSources,
  readSourceCounts,
} from '../storage/rollups/source-counts.ts';
import { pageHash } from '../storage/rollups/hit-counts.ts';
import { roundRatio } from '../values/estimate.ts';
import { siteOf } from '../values/page-owners.ts';
import { addDays } from '../values/utc-day.ts';
import { readHostUnnamed, readOwners } from './owners.ts';
import type { Period } from './shares/windows.ts';
import type { ReportSource } from './report-source.ts';

/** The runs whose sources to count, and whether by site or by page. */
export interface SourceQuery extends Period {
  readonly by: 'site' | 'page';
  readonly engine?: string | undefined;
  readonly locale?: string | undefined;
  readonly promptId?: string | undefined;
  readonly withoutCompetitorPrompts?: boolean;
  /** Only this site, or pages of it. */
  readonly site?: string | undefined;
}

/** The sites or pages that counted runs cite, most cited first. */
export async function readSources(
  source: ReportSource,
  query: SourceQuery,
): Promise<readonly SourceRow[]> {
  return (await readSourcesOfRuns(source, query)).rows;
}

/** The same, with the number of all counted runs of the period: the denominator of `share`. */
export async function readSourcesOfRuns(
  source: ReportSource,
  query: SourceQuery,
): Promise<{ readonly runs: number; readonly rows: readonly SourceRow[] }> {
  const { db, workspaceId } = source;
  const { by, from, to, engine, locale, promptId, site: only } = query;
  const { withoutCompetitorPrompts = false } = query;
  // Stored counts know nothing of prompts.
  const isLive = locale !== undefined || promptId !== undefined || withoutCompetitorPrompts;
  const all = noSources();
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const filter = { date, engine, locale, promptId, withoutCompetitorPrompts };
    const counts = isLive
      ? await countSources(db, workspaceId, filter)
      : await readSourceCounts(db, workspaceId, { date, engine, by });
    addSources(all, counts);
    await setImmediate();
  }
  const ownerOf = await readOwners(source);
  const pageOf = (key: string) => ownerOf(by === 'site' ? `https://${key}/` : key);
  const cited = [...(by === 'site' ? all.sites : all.pages)]
    .filter(([key]) => only === undefined || (by === 'site' ? key : pageOf(key).site) === only)
    .toSorted(([left, { runs }], [right, { runs: more }]) => more - runs || (left < right ? -1 : 1))
    .slice(0, limits.reportRowsMax);
  const rows = cited.map(([key, count]): SourceRow => {
    const { site, owner, ownerId } = pageOf(key);
    return {
      site: by === 'site' ? key : site,
      url: by === 'site' ? null : key,
      title: by === 'site' ? null : (count.title ?? null),
      owner,
      owner_id: ownerId,
      runs: count.runs,
      share: roundRatio(count.runs, all.runs),
      brand_runs: count.brand,
      competitor_runs: count.competitor,
      gap_runs: count.gap,
      first_cited_at: count.first,
      last_cited_at: count.last,
      last_crawled_at: null,
    };
  });
  return { runs: all.runs, rows: await addCrawls(source, rows) };
}

/** Adds when the brand's own sites or pages were last read by a verified bot. */
async function addCrawls(source: ReportSource, rows: readonly SourceRow[]): Promise<SourceRow[]> {
  const own = rows.filter(({ owner }) => owner === 'brand');
  if (own.length === 0) return [...rows];
  const { db, workspaceId } = source;
  const hostUnnamed = await readHostUnnamed(source);
  const crawled = new Map<string, string>();
  const hosts = await db
    .selectFrom('hit_days')
    .select(({ fn }) => ['host', fn.max<string | null>('verified_at').as('at')])
    .where('workspace_id', '=', workspaceId)
    .groupBy('host')
    .execute();
  for (const { host, at } of hosts) note(siteOf(host || (hostUnnamed ?? '')), at);
  for (const { url } of own) {
    const address = url === null ? null : URL.parse(url);
    if (url === null || address === null) continue;
    const bare = address.hostname.replace(/^www\./, '');
    const pages = await db
      .selectFrom('hit_pages')
      .select(({ fn }) => fn.max<string | null>('verified_at').as('at'))
      .where('workspace_id', '=', workspaceId)
      .where('page_hash', 'in', [
        pageHash(bare, address.pathname),
        pageHash(`www.${bare}`, address.pathname),
        ...(bare === hostUnnamed ? [pageHash('', address.pathname)] : []),
      ])
      .execute();
    for (const { at } of pages) note(url, at);
  }
  return rows.map((row) =>
    row.owner === 'brand'
      ? { ...row, last_crawled_at: crawled.get(row.url ?? row.site) ?? null }
      : row,
  );

  function note(key: string, at: string | null): void {
    if (at !== null && at > (crawled.get(key) ?? '')) crawled.set(key, at);
  }
}
