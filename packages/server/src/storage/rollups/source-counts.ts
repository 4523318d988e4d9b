import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { pageOf } from '../../values/page-address.ts';
import { endOfDay, startOfDay } from '../../values/utc-day.ts';
import { countedRuns } from '../counted-runs.ts';
import type { DataTables } from '../schema.ts';
import { parseStoredSources } from '../stored-sources.ts';

/** In how many runs a site or page is cited, and beside whom. */
export interface CitedCount {
  runs: number;
  brand: number;
  competitor: number;
  gap: number;
  first: string;
  last: string;
  /** The latest title, and the time of its run unless that is the last. */
  title?: string;
  titledAt?: string | undefined;
}

interface PackedCounts {
  readonly runs: number;
  readonly sites: ReadonlyArray<readonly [string, CitedCount]>;
  readonly pages: ReadonlyArray<readonly [string, CitedCount]>;
}

/** The sites and pages that the counted runs of one or more days cite. */
export interface SourceCounts {
  runs: number;
  readonly sites: Map<string, CitedCount>;
  readonly pages: Map<string, CitedCount>;
}

/** The runs whose sources to count. */
export interface SourceFilter {
  readonly date: string;
  readonly engine?: string | undefined;
  readonly promptId?: string | undefined;
  readonly locale?: string | undefined;
  readonly withoutCompetitorPrompts?: boolean;
}

const storedSites = z.array(z.string());

export function noSources(): SourceCounts {
  return { runs: 0, sites: new Map(), pages: new Map() };
}

/** Counts the sources of a day from its runs and answers. */
export async function countSources(
  db: Kysely<DataTables>,
  workspaceId: string,
  filter: SourceFilter,
): Promise<SourceCounts> {
  const runs = await runsOf(db, workspaceId, filter)
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select(['runs.id', 'run_at', 'sources', 'sites'])
    .orderBy('run_at')
    .orderBy('runs.id')
    .execute();
  const citations = await runsOf(db, workspaceId, filter)
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .where('cited', '=', true)
    .select(['runs.id', 'subject_type'])
    .distinct()
    .execute();
  const [brand, competitor] = (['brand', 'competitor'] as const).map(
    (type) => new Set(citations.flatMap((one) => (one.subject_type === type ? [one.id] : []))),
  );
  const found = noSources();
  for (const run of runs) {
    const [hasBrand, hasCompetitor] = [
      brand?.has(run.id) === true,
      competitor?.has(run.id) === true,
    ];
    addRun(found, run, {
      runs: 1,
      brand: Number(hasBrand),
      competitor: Number(hasCompetitor),
      gap: Number(hasCompetitor && !hasBrand),
      first: run.run_at,
      last: run.run_at,
    });
  }
  return found;
}

function runsOf(
  db: Kysely<DataTables>,
  workspaceId: string,
  { date, engine, promptId, locale, withoutCompetitorPrompts = false }: SourceFilter,
) {
  return countedRuns(db, workspaceId)
    .where('run_at', '>=', startOfDay(date))
    .where('run_at', '<', endOfDay(date))
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .$if(promptId !== undefined, (query) => query.where('prompt_id', '=', promptId ?? ''))
    .$if(withoutCompetitorPrompts, (query) =>
      query.where((or) =>
        or.or([or('names_competitor', 'is', null), or('names_competitor', '=', false)]),
      ),
    )
    .$if(locale !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('prompts')
            .select('prompts.id')
            .where('prompts.workspace_id', '=', workspaceId)
            .whereRef('prompts.id', '=', 'runs.prompt_id')
            .where('locale', '=', locale ?? ''),
        ),
      ),
    );
}

/** Adds `one`, the counts of a run, to each site and page that its answer cites. */
function addRun(
  all: SourceCounts,
  { sources, sites }: { readonly sources: string; readonly sites: string },
  one: CitedCount,
): void {
  all.runs += 1;
  for (const site of storedSites.parse(JSON.parse(sites))) addTo(all.sites, site, one);
  const pages = new Map<string, string | undefined>();
  for (const { url, title } of parseStoredSources(sources)) {
    const page = pageOf(url);
    if (page !== undefined) pages.set(page.url, pages.get(page.url) ?? title);
  }
  for (const [url, title] of pages) {
    addTo(all.pages, url, title === undefined || title === '' ? one : { ...one, title });
  }
}

/** Adds the counts of other runs to `all`, later ones last. */
export function addSources(all: SourceCounts, more: SourceCounts): void {
  all.runs += more.runs;
  for (const [site, count] of more.sites) addTo(all.sites, site, count);
  for (const [url, count] of more.pages) addTo(all.pages, url, count);
}

function addTo(all: Map<string, CitedCount>, key: string, more: CitedCount): void {
  const sum = all.get(key);
  if (sum === undefined) {
    all.set(key, { ...more });
    return;
  }
  sum.runs += more.runs;
  sum.brand += more.brand;
  sum.competitor += more.competitor;
  sum.gap += more.gap;
  if (more.first < sum.first) sum.first = more.first;
  const [ours, theirs] = [titledAt(sum), titledAt(more)];
  if (more.title !== undefined && theirs >= ours) sum.title = more.title;
  if (more.last > sum.last) sum.last = more.last;
  const latest = theirs > ours ? theirs : ours;
  sum.titledAt = latest === '' || latest === sum.last ? undefined : latest;
}

function titledAt({ title, titledAt: at, last }: CitedCount): string {
  return title === undefined ? '' : (at ?? last);
}

/** Updates the stored counts of some engine days from their runs. Returns whether one changed. */
export async function deriveSourceCounts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: ReadonlyArray<{ readonly date: string; readonly engine: string }>,
): Promise<boolean> {
  let hasChanged = false;
  for (const { date, engine } of days) {
    const sources = await countSources(transaction, workspaceId, { date, engine });
    const counted = sources.runs === 0 ? undefined : packed(sources);
    const stored = await transaction
      .selectFrom('source_counts')
      .select('counts')
      .where('workspace_id', '=', workspaceId)
      .where('date', '=', date)
      .where('engine', '=', engine)
      .executeTakeFirst();
    if (stored?.counts === counted) continue;
    hasChanged = true;
    if (counted === undefined) {
      await transaction
        .deleteFrom('source_counts')
        .where('workspace_id', '=', workspaceId)
        .where('date', '=', date)
        .where('engine', '=', engine)
        .execute();
      continue;
    }
    await transaction
      .insertInto('source_counts')
      .values({ workspace_id: workspaceId, date, engine, counts: counted })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'date', 'engine']).doUpdateSet({ counts: counted }),
      )
      .execute();
  }
  return hasChanged;
}

/** Reads the stored counts of a day, of one engine or of all. */
export async function readSourceCounts(
  db: Kysely<DataTables>,
  workspaceId: string,
  { date, engine, by }: Pick<SourceFilter, 'date' | 'engine'> & { by?: 'site' | 'page' },
): Promise<SourceCounts> {
  const rows = await db
    .selectFrom('source_counts')
    .select('counts')
    .where('workspace_id', '=', workspaceId)
    .where('date', '=', date)
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .orderBy('engine')
    .execute();
  const all = noSources();
  for (const row of rows) {
    const { runs, sites, pages } = unpacked(by === 'site' ? withoutPages(row.counts) : row.counts);
    addSources(all, {
      runs,
      sites: new Map(by === 'page' ? [] : sites),
      pages: new Map(pages),
    });
  }
  return all;
}

/** Pages are nine tenths of the text. No name of a site has quotes of its own, so the first match is theirs. */
function withoutPages(text: string): string {
  return `${text.slice(0, text.indexOf(',"pages":['))},"pages":[]}`;
}

function unpacked(text: string): PackedCounts {
  const value: unknown = JSON.parse(text);
  if (isPacked(value)) return value;
  throw new TypeError('A row of source_counts is damaged');
}

/** Only this module writes the column, and checking every number would take longer than adding them up. */
function isPacked(value: unknown): value is PackedCounts {
  return typeof value === 'object' && value !== null && 'sites' in value && 'pages' in value;
}

function packed({ runs, sites, pages }: SourceCounts): string {
  const sorted = (all: ReadonlyMap<string, CitedCount>) =>
    [...all].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify({ runs, sites: sorted(sites), pages: sorted(pages) });
}
