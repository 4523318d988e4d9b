import { setImmediate } from 'node:timers/promises';
import { limits } from '@overheard/contract';
import type { AnswerQuery } from './answers.ts';
import type { SourceRow } from '@overheard/contract';
import { pageHash } from '../storage/counts/hit-changes.ts';
import { addPromptSources, addStoredSources } from '../storage/counts/source-counts.ts';
import { promptsWithTag, readTagsByPrompt } from '../storage/prompt-tags.ts';
import { readSourceKinds } from '../storage/queries/read-source-kinds.ts';
import { createSourceSum } from '../storage/counts/source-sum.ts';
import type { SourceSum } from '../storage/counts/source-sum.ts';
import { isInLocaleRange } from '../values/locale-range.ts';
import { roundRatio } from '../values/statistics/share-of-voice.ts';
import { siteOf } from '../values/sites/site.ts';
import { kindOfPage, kindOfSite, listedKind } from '../values/sites/source-kind.ts';
import { hostOf } from '../values/sites/web-host.ts';
import { addDays } from '../values/time/utc-day.ts';
import { readHostUnnamed, readOwners } from './owners.ts';
import type { Period } from './shares/windows.ts';
import type { ReportSource } from './report-source.ts';

/** A cited site or page, before its kind is known. */
type CitedRow = Omit<SourceRow, 'kind'>;

/** The runs whose sources to count, and whether by site or by page. */
export interface SourceQuery
  extends
    Period,
    Pick<AnswerQuery, 'engine' | 'surface' | 'locale' | 'promptId' | 'tag' | 'searched'> {
  readonly by: 'site' | 'page';
  readonly excludesCompetitorPrompts?: boolean;
  /** Only runs that cite this competitor. */
  readonly competitorId?: string | undefined;
  /** Only this site, or pages of it. */
  readonly site?: string | undefined;
}

/** Most days that one statement reads. */
const daysAtOnceMax = 28;

/** Text of stored sources that one statement reads: adding it up takes about five milliseconds. */
const charactersAtOnce = 1_000_000;

/** The sites or pages that counted runs cite, most cited first: as many as a response may have. */
export async function readSources(
  source: ReportSource,
  query: SourceQuery,
): Promise<readonly SourceRow[]> {
  return (await readSourcesOfRuns(source, query)).rows;
}

/**
 * Reads sources with the number of all counted runs of the period, which is the denominator of
 * `share`.
 */
export async function readSourcesOfRuns(
  source: ReportSource,
  query: SourceQuery,
): Promise<{ readonly runs: number; readonly rows: readonly SourceRow[] }> {
  const { runs, rows } = await readCited(source, query);
  const shown = await addCrawls(source, rows.slice(0, limits.reportRowsMax));
  return { runs, rows: await addKinds(source, query, shown) };
}

/** Selects some of the sources, in the order of a list. */
export interface SourceListQuery extends SourceQuery {
  readonly owner?: SourceRow['owner'] | undefined;
  readonly kind?: SourceRow['kind'] | undefined;
  /**
   * `gap`: only sources that answers cite together with a competitor but without the brand, most
   * such answers first.
   */
  readonly sort?: 'gap' | undefined;
  readonly start: number;
  /** Most rows; without it, all that follow. */
  readonly limit?: number | undefined;
}

/** Reads a part of the list, its total length, and the number of all counted runs of the period. */
export async function readSourceList(
  source: ReportSource,
  { owner, kind, sort, start, limit = Infinity, ...query }: SourceListQuery,
): Promise<{
  readonly runs: number;
  readonly total: number;
  readonly rows: readonly SourceRow[];
}> {
  const { runs, rows } = await readCited(source, query);
  const owned = rows.filter((row) => owner === undefined || row.owner === owner);
  const matches =
    sort === undefined
      ? owned
      : owned
          .filter(({ gap_runs: gap }) => gap > 0)
          .toSorted((left, right) => right.gap_runs - left.gap_runs || right.runs - left.runs);
  const end = start + limit;
  if (kind === undefined) {
    const page = await addKinds(source, query, matches.slice(start, end));
    return { runs, total: matches.length, rows: await addCrawls(source, page) };
  }
  const ofKind = (await addKinds(source, query, matches)).filter((row) => row.kind === kind);
  const page = await addCrawls(source, ofKind.slice(start, end));
  return { runs, total: ofKind.length, rows: page };
}

/** All rows, without kinds and the crawls of own pages, and the number of counted runs. */
export async function readCited(
  source: ReportSource,
  query: SourceQuery,
): Promise<{ readonly runs: number; readonly rows: readonly CitedRow[] }> {
  const { by, site: only } = query;
  const ownerOf = await readOwners(source);
  const pageOf = (key: string) => ownerOf(by === 'site' ? `https://${key}/` : key);
  const isWanted = (key: string) =>
    only === undefined || (by === 'site' ? key : pageOf(key).site) === only;
  const sum = await sumSources(source, query, isWanted);
  const runs = sum.runs();
  const cited = sum
    .counts()
    .toSorted((left, right) => right.runs - left.runs || (left.name < right.name ? -1 : 1));
  const rows = cited.map((count): CitedRow => {
    const { site, owner, ownerId } = pageOf(count.name);
    return {
      site: by === 'site' ? count.name : site,
      url: by === 'site' ? null : count.name,
      title: by === 'site' ? null : count.title,
      owner,
      owner_id: ownerId,
      runs: count.runs,
      share: roundRatio(count.runs, runs),
      brand_runs: count.brand,
      competitor_runs: count.competitor,
      gap_runs: count.gap,
      first_cited_at: new Date(count.first).toISOString(),
      last_cited_at: new Date(count.last).toISOString(),
      last_crawled_at: null,
    };
  });
  return { runs, rows };
}

/** Adds the kind of each row. The pages of a site that is on no list decide its kind. */
async function addKinds<Row extends CitedRow>(
  source: ReportSource,
  query: SourceQuery,
  rows: readonly Row[],
): Promise<Array<Row & SourceRow>> {
  const kinds = await readSourceKinds(source.db, source.workspaceId);
  const unknown = new Set(
    rows.flatMap(({ site, owner, url }) =>
      url === null && owner === 'other' && !kinds.has(site) && listedKind(site) === undefined
        ? [site]
        : [],
    ),
  );
  const isUnknown = (url: string) => unknown.has(siteOf(hostOf(url) ?? ''));
  const pages =
    unknown.size === 0
      ? []
      : (await sumSources(source, { ...query, by: 'page' }, isUnknown))
          .counts()
          .map(({ name, title, runs }) => ({
            url: name,
            site: siteOf(hostOf(name) ?? ''),
            title,
            runs,
          }));
  const pagesOf = Map.groupBy(pages, ({ site }) => site);
  return rows.map((row) => {
    const { site, url, title, owner } = row;
    const kind =
      owner === 'brand'
        ? 'own'
        : owner === 'competitor'
          ? 'competitor'
          : (kinds.get(site) ??
            (url === null
              ? kindOfSite(site, pagesOf.get(site) ?? [])
              : kindOfPage({ url, site, title })));
    return { ...row, kind };
  });
}

async function sumSources(
  { db, workspaceId }: ReportSource,
  {
    by,
    from,
    to,
    engine,
    surface,
    locale,
    promptId,
    tag,
    excludesCompetitorPrompts,
    searched,
    competitorId,
  }: SourceQuery,
  isWanted: (name: string) => boolean,
): Promise<SourceSum> {
  const isEveryPrompt = locale === undefined && tag === undefined;
  const promptIds = isEveryPrompt
    ? undefined
    : await readPromptIds(db, workspaceId, { locale, tag });
  const filter = { promptIds, excludesCompetitorPrompts, searched, competitorId };
  const sum = createSourceSum(filter, isWanted);
  const names = by === 'site' ? 'sites' : 'pages';
  const needsPrompts = promptIds !== undefined;
  const needsCompetitors = competitorId !== undefined;
  // One prompt has few runs a day. All prompts may have megabytes, so begin with a day.
  let daysAtOnce = promptId === undefined ? 1 : daysAtOnceMax;
  for (let date = from; date <= to;) {
    const next = addDays(date, daysAtOnce);
    const last = addDays(next, -1);
    const days = { from: date, to: last < to ? last : to, engine, surface };
    if (promptId === undefined) {
      const add = { query: days, by: names, sum, needsPrompts, needsCompetitors } as const;
      const characters = await addStoredSources(db, workspaceId, add);
      const daysFitting = Math.floor((daysAtOnce * charactersAtOnce) / Math.max(1, characters));
      daysAtOnce = Math.max(1, Math.min(daysFitting, 2 * daysAtOnce, daysAtOnceMax));
    } else {
      await addPromptSources(db, workspaceId, { query: { ...days, promptId }, by: names, sum });
    }
    date = next;
    await setImmediate();
  }
  return sum;
}

async function readPromptIds(
  db: ReportSource['db'],
  workspaceId: string,
  { locale, tag }: Pick<SourceQuery, 'locale' | 'tag'>,
): Promise<ReadonlySet<string>> {
  const tags = tag === undefined ? undefined : await readTagsByPrompt(db, workspaceId);
  const tagged = tags && promptsWithTag(tags, tag ?? '');
  const prompts = await db
    .selectFrom('prompts')
    .select(['id', 'locale'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Set(
    prompts
      .filter((each) => locale === undefined || isInLocaleRange(each.locale, locale))
      .filter(({ id }) => tagged === undefined || tagged.has(id))
      .map(({ id }) => id),
  );
}

/** Adds when the brand's own sites or pages were last read by a verified bot. */
async function addCrawls<Row extends CitedRow>(
  source: ReportSource,
  rows: readonly Row[],
): Promise<Row[]> {
  const ofBrand = rows.filter(({ owner }) => owner === 'brand');
  if (ofBrand.length === 0) return [...rows];
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
  for (const { url } of ofBrand) {
    const address = url === null ? null : URL.parse(url);
    if (url === null || address === null) continue;
    const bare = address.hostname.replace(/^www\./, '');
    const pages = await db
      .selectFrom('hit_pages')
      .select('verified_at as at')
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
