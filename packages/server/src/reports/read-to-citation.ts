import { limits } from '@overheard/contract';
import { z } from 'zod';
import { isRefused } from '../storage/counts/hit-changes.ts';
import { isReadPage, ownPage } from '../storage/counts/own-pages.ts';
import { periodHits } from '../storage/queries/period-hits.ts';
import { parseJson } from '../values/json.ts';
import { medianWait } from '../values/statistics/median-wait.ts';
import type { MedianWait } from '../values/statistics/median-wait.ts';
import { dayMs } from '../values/time/utc-day.ts';
import { sql } from 'kysely';
import { pageOfHit, readAnswerVisits } from './answer-visits.ts';
import type { AnswerVisits } from './answer-visits.ts';
import { engineOfCompany, readerOf } from './engine-access/bot-days.ts';
import { readOwn } from './owners.ts';
import type { ReportSource } from './report-source.ts';
import type { Period } from './shares/windows.ts';

/** An own page that an engine's bots read for answers, and what the engine's answers made of it. */
export interface PageLag extends AnswerVisits {
  readonly engine: string;
  /** The address without scheme, `www.` and query: `acme.com/docs`. */
  readonly page: string;
  /** The first and last genuine request of the period that got the page. */
  readonly first_read_at: string;
  readonly last_read_at: string;
  /** The last genuine request that was refused. */
  readonly last_refused_at: string | null;
  /** The first UTC day, from that of the first read on, with an answer that links to the page. */
  readonly first_cited_on: string | null;
  /** Whether an answer of the period linked to the page before the first read. */
  readonly was_cited_before: boolean;
  /** Days from the first read to that day; or, while the page waits, to the engine's last answers. */
  readonly days: number;
}

/** How long an engine takes from reading a page to citing it. Days are UTC. */
export interface EngineLag extends MedianWait {
  readonly engine: string;
  /** Pages that it first read in the period and had not cited before. */
  readonly pages: number;
  readonly cited: number;
  readonly waiting: number;
}

interface ReadToCitation extends Period {
  readonly engines: readonly EngineLag[];
  /** Pages that wait longest first, then those that were cited last. At most 1,000. */
  readonly pages: readonly PageLag[];
}

const storedPages = z.array(z.string());

/**
 * Compares when the bots of each engine first read an own page with when its answers first linked to it.
 * Only genuine requests of bots that read for answers count, and only engines that have answers in the
 * period: a page waits until the last of them.
 */
export async function readToCitation(
  source: ReportSource,
  { from, to }: Period,
): Promise<ReadToCitation> {
  const { isOwn, hostUnnamed = '' } = await readOwn(source);
  const citations = await readCitations(source, { from, to, isOwn });
  const query = { from, to, isOwn, hostUnnamed };
  const reads = await readFirstReads(source, query);
  const visitsOf = await readAnswerVisits(source, query);
  const pages = reads.flatMap(({ engine, page, ...read }): PageLag[] => {
    const cited = citations.get(engine);
    const readOn = read.first_read_at.slice(0, 10);
    // Without answers after the read, nobody can say whether the engine would cite the page.
    if (cited === undefined || cited.until < readOn) return [];
    const dates = cited.dates.get(page) ?? [];
    const first = dates.find((date) => date >= readOn) ?? null;
    return [
      {
        engine,
        page,
        ...read,
        first_cited_on: first,
        was_cited_before: dates.some((date) => date < readOn),
        days: (Date.parse(first ?? cited.until) - Date.parse(readOn)) / dayMs,
        ...visitsOf(engine, page),
      },
    ];
  });
  const engines = [...Map.groupBy(pages, ({ engine }) => engine)].map(([engine, all]) => {
    const own = all.filter(({ was_cited_before: wasBefore }) => !wasBefore);
    const waits = own.map(({ days, first_cited_on: on }) => ({ days, hasEnded: on !== null }));
    const cited = waits.filter(({ hasEnded }) => hasEnded).length;
    const counts = { pages: own.length, cited, waiting: own.length - cited };
    return { engine, ...counts, ...medianWait(waits) };
  });
  const isWaiting = (page: PageLag) => page.first_cited_on === null;
  const listed = pages.toSorted(
    (left, right) =>
      Number(isWaiting(right)) - Number(isWaiting(left)) ||
      (isWaiting(left) ? right.days - left.days : 0) ||
      ((left.first_cited_on ?? '') < (right.first_cited_on ?? '') ? 1 : -1),
  );
  return { from, to, engines, pages: listed.slice(0, limits.reportRowsMax) };
}

/**
 * The engines whose answers of a period link to an own page, by name: a function of a hit's host and path.
 */
export async function readCitingEngines(
  source: ReportSource,
  { from, to }: Period,
): Promise<(hit: { readonly host: string | null; readonly path: string }) => readonly string[]> {
  const { isOwn, hostUnnamed = '' } = await readOwn(source);
  const citations = await readCitations(source, { from, to, isOwn });
  return ({ host, path }) => {
    const page = pageOfHit(host ?? hostUnnamed, path, isOwn);
    if (page === undefined) return [];
    return [...citations]
      .flatMap(([name, { dates }]) => (dates.has(page) ? [name] : []))
      .toSorted();
  };
}

interface Query extends Period {
  readonly isOwn: (address: string, host: string) => boolean;
}

/** The days on which each engine's answers linked to each own page, and the engine's last day. */
async function readCitations({ db, workspaceId }: ReportSource, { from, to, isOwn }: Query) {
  const rows = await db
    .selectFrom('source_counts')
    .select(['date', 'engine', 'linked'])
    .where('workspace_id', '=', workspaceId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .orderBy('date')
    .execute();
  const engines = new Map<string, { until: string; readonly dates: Map<string, string[]> }>();
  for (const { date, engine, linked } of rows) {
    const name = readerOf(engine);
    const of = engines.get(name) ?? { until: date, dates: new Map<string, string[]>() };
    engines.set(name, of);
    of.until = date;
    for (const url of storedPages.parse(parseJson(linked) ?? [])) {
      const page = ownPage(url, isOwn);
      if (page === undefined) continue;
      const dates = of.dates.get(page) ?? [];
      dates.push(date);
      of.dates.set(page, dates);
    }
  }
  return engines;
}

/** The first and last genuine reads of own pages, by engine. */
async function readFirstReads(
  { db, workspaceId }: ReportSource,
  { from, to, isOwn, hostUnnamed }: Query & { readonly hostUnnamed: string },
) {
  const rows = await periodHits(db, workspaceId, { from, to })
    .select(['host', 'path', 'bot_company'])
    .select([
      sql<string | null>`min(case when ${isReadPage} then hit_at end)`.as('first'),
      sql<string | null>`max(case when ${isReadPage} then hit_at end)`.as('last'),
      sql<string | null>`max(case when ${isRefused} then hit_at end)`.as('refused'),
    ])
    .where('verification', '=', 'verified')
    .where('category', '<>', 'crawler')
    .groupBy(['host', 'path', 'bot_company'])
    .execute();
  type Read = Pick<
    PageLag,
    'engine' | 'page' | 'first_read_at' | 'last_read_at' | 'last_refused_at'
  >;
  const reads = new Map<string, Read>();
  for (const { host, path, bot_company: company, first, last, refused } of rows) {
    const page = pageOfHit(host ?? hostUnnamed, path, isOwn);
    if (page === undefined || first === null || last === null) continue;
    const engine = engineOfCompany(company);
    const known = reads.get(`${engine} ${page}`);
    reads.set(`${engine} ${page}`, {
      engine,
      page,
      first_read_at:
        known !== undefined && known.first_read_at < first ? known.first_read_at : first,
      last_read_at: known !== undefined && known.last_read_at > last ? known.last_read_at : last,
      last_refused_at:
        (known?.last_refused_at ?? '') > (refused ?? '')
          ? (known?.last_refused_at ?? null)
          : refused,
    });
  }
  return [...reads].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, read]) => read);
}
