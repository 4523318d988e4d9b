import type { Surface } from '@overheard/contract';
import type { Kysely, Transaction } from 'kysely';
import { assumeType } from '../../values/assume-type.ts';
import { isOfSurface } from '../queries/surface-filter.ts';
import { rangeColumns } from '../../values/counted-range.ts';
import { addDays, endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { countedRuns } from './run-counts.ts';
import type { DataTables } from '../schema.ts';
import { linkedPagesOf, readLinkingRuns } from './linked-pages.ts';
import { packRuns } from './packed-runs.ts';
import type { PackedNames, PackedRuns, SourcedRun } from './packed-runs.ts';
import type { SourceSum } from './source-sum.ts';

/** Selects the runs to read. UTC days are both included. */
interface RunsQuery {
  readonly from: string;
  readonly to: string;
  readonly engine?: string | undefined;
  readonly surface?: Surface | undefined;
  readonly promptId?: string | undefined;
}

/** Reads counted runs with the sources of their answers, in the order of their moments. */
async function readSourcedRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, engine, surface, promptId }: RunsQuery,
): Promise<SourcedRun[]> {
  const counted = countedRuns(db, workspaceId)
    .where('run_at', '>=', startOfDay(from))
    .where('run_at', '<', endOfDay(to))
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .$if(surface !== undefined, (query) => query.where(isOfSurface(surface)))
    .$if(promptId !== undefined, (query) => query.where('prompt_id', '=', promptId ?? ''));
  const runs = await counted
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select([
      'runs.id',
      'run_at',
      'prompt_id',
      'names_competitor',
      'searched',
      'answer',
      ...rangeColumns,
    ])
    .select(['sources', 'sites'])
    .orderBy('run_at')
    .orderBy('runs.id')
    .execute();
  const citations = await counted
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .where('cited', '=', true)
    .select(['runs.id', 'subject_type', 'subject_id'])
    .orderBy('subject_id')
    .execute();
  const citationsOf = Map.groupBy(citations, ({ id }) => id);
  return runs.map((run) => {
    const ofRun = Map.groupBy(citationsOf.get(run.id) ?? [], ({ subject_type: type }) => type);
    return {
      ...run,
      citesBrand: ofRun.has('brand'),
      competitors: (ofRun.get('competitor') ?? []).map(({ subject_id: id }) => id),
    };
  });
}

/**
 * Adds the sources of one prompt's runs. Reads the runs themselves, because they are few among
 * those of a day.
 */
export async function addPromptSources(
  db: Kysely<DataTables>,
  workspaceId: string,
  { query, by, sum }: { query: RunsQuery; by: 'sites' | 'pages'; sum: SourceSum },
): Promise<void> {
  const runs = await readSourcedRuns(db, workspaceId, query);
  for (const [date, ofDay] of Map.groupBy(runs, ({ run_at: at }) => at.slice(0, 10))) {
    const packed = packRuns(date, ofDay);
    sum.add(date, packed, packed[by]);
  }
}

/** The columns of a row. */
const columns = ['runs', 'linked', 'sites', 'competitors', 'prompts', 'pages'] as const;

/**
 * Updates the stored sources of some engine days from their runs, in the transaction that changed
 * them. Returns whether a row changed.
 */
export async function deriveSourceCounts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: ReadonlyArray<{ readonly date: string; readonly engine: string }>,
): Promise<boolean> {
  let hasChanged = false;
  for (const { date, engine } of days) {
    const runs = await readSourcedRuns(transaction, workspaceId, { from: date, to: date, engine });
    const linked = linkedPagesOf(await readLinkingRuns(transaction, workspaceId, { date, engine }));
    const isEmpty = runs.length + linked.length === 0;
    const counted = isEmpty ? undefined : toText({ ...packRuns(date, runs), linked });
    const stored = await transaction
      .selectFrom('source_counts')
      .select(columns)
      .where('workspace_id', '=', workspaceId)
      .where('date', '=', date)
      .where('engine', '=', engine)
      .executeTakeFirst();
    const isSame = columns.every((column) => stored?.[column] === counted?.[column]);
    if (isSame) continue;
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
      .values({ workspace_id: workspaceId, date, engine, ...counted })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'date', 'engine']).doUpdateSet(counted),
      )
      .execute();
  }
  return hasChanged;
}

function toText({
  runs,
  linked,
  sites,
  competitors,
  prompts,
  pages,
}: PackedRuns & { readonly linked: readonly string[] }) {
  return {
    runs: JSON.stringify(runs),
    linked: JSON.stringify(linked),
    sites: JSON.stringify(sites),
    competitors: JSON.stringify(competitors),
    prompts: JSON.stringify(prompts),
    pages: JSON.stringify(pages),
  };
}

const noNames = { names: [], cited: [] };

/**
 * Adds the sources in the stored rows of some days, of one engine or of all. Returns the number of
 * characters that it read, on which the time depends.
 */
export async function addStoredSources(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    query: { from, to, engine, surface },
    by,
    sum,
    needsPrompts,
    needsCompetitors,
  }: {
    query: Omit<RunsQuery, 'promptId'>;
    by: 'sites' | 'pages';
    sum: SourceSum;
    /** Whether to read the prompt of each run, for a sum that leaves some prompts out. */
    needsPrompts: boolean;
    /**
     * Whether to read the competitors that each run cites, for a sum of the runs that cite one of
     * them.
     */
    needsCompetitors: boolean;
  },
): Promise<number> {
  const rows = await db
    .selectFrom('source_counts')
    .select(['date', 'runs', `${by} as cited`])
    .$if(needsCompetitors, (select) => select.select('competitors'))
    .$if(needsPrompts, (select) => select.select('prompts'))
    .where('workspace_id', '=', workspaceId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .$if(engine !== undefined, (select) => select.where('engine', '=', engine ?? ''))
    .$if(surface !== undefined, (select) => select.where(isOfSurface(surface)))
    .orderBy('date')
    .orderBy('engine')
    .execute();
  for (const { date, runs, cited, competitors, prompts } of rows) {
    const packed = {
      runs: assumeType<readonly number[]>(JSON.parse(runs)),
      competitors: competitors === undefined ? noNames : namesOf(competitors),
      prompts: prompts === undefined ? noNames : namesOf(prompts),
    };
    sum.add(date, packed, namesOf(cited));
  }
  return rows.reduce((count, { runs, cited }) => count + runs.length + cited.length, 0);
}

/**
 * Only this module writes the columns, so the numbers are not checked: that would take longer than
 * adding them up.
 */
function namesOf(text: string): PackedNames {
  return assumeType<PackedNames>(JSON.parse(text));
}

/** The days before the last one with counted runs whose pages are read, with that one. */
const pageDays = 28;

/** Yields the prompts and pages of the runs of the last days with counted runs, a day at a time. */
export async function* readPackedPages(
  db: Kysely<DataTables>,
  workspaceId: string,
): AsyncGenerator<Pick<PackedRuns, 'prompts' | 'pages'>> {
  const ofWorkspace = db.selectFrom('source_counts').where('workspace_id', '=', workspaceId);
  const { last } = await ofWorkspace
    .select(({ fn }) => fn.max<string | null>('date').as('last'))
    .executeTakeFirstOrThrow();
  if (last === null) return;
  for (let date = addDays(last, 1 - pageDays); date <= last; date = addDays(date, 1)) {
    const rows = await ofWorkspace
      .select(['prompts', 'pages'])
      .where('date', '=', date)
      .orderBy('engine')
      .execute();
    for (const { prompts, pages } of rows) {
      yield { prompts: namesOf(prompts), pages: namesOf(pages) };
    }
  }
}
