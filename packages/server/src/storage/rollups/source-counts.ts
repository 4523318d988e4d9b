import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { endOfDay, startOfDay } from '../../values/utc-day.ts';
import { countedRuns } from '../counted-runs.ts';
import type { DataTables } from '../schema.ts';
import { linkedPagesOf, readLinkingRuns } from './linked-pages.ts';
import { packRuns } from './packed-runs.ts';
import type { PackedNames, PackedRuns, SourcedRun } from './packed-runs.ts';
import type { SourceSum } from './source-sum.ts';

/** Which runs to read. UTC days, both included. */
interface RunsQuery {
  readonly from: string;
  readonly to: string;
  readonly engine?: string | undefined;
  readonly promptId?: string | undefined;
}

/** Reads counted runs with what their answers cite, in the order of their moments. */
async function readSourcedRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, engine, promptId }: RunsQuery,
): Promise<SourcedRun[]> {
  const counted = countedRuns(db, workspaceId)
    .where('run_at', '>=', startOfDay(from))
    .where('run_at', '<', endOfDay(to))
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .$if(promptId !== undefined, (query) => query.where('prompt_id', '=', promptId ?? ''));
  const runs = await counted
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select(['runs.id', 'run_at', 'prompt_id', 'names_competitor', 'sources', 'sites'])
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
    .select(['runs.id', 'subject_type'])
    .distinct()
    .execute();
  const [brand, competitor] = (['brand', 'competitor'] as const).map(
    (type) => new Set(citations.flatMap((one) => (one.subject_type === type ? [one.id] : []))),
  );
  return runs.map((run) => ({
    ...run,
    citesBrand: brand?.has(run.id) === true,
    citesCompetitor: competitor?.has(run.id) === true,
  }));
}

/** Adds what the runs of one prompt cite, from the runs themselves: they are few among those of a day. */
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

/**
 * Updates the stored sources of some engine days from their runs, in the transaction that changed those.
 * Returns whether a row changed.
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
      .select(['runs', 'linked', 'sites', 'prompts', 'pages'])
      .where('workspace_id', '=', workspaceId)
      .where('date', '=', date)
      .where('engine', '=', engine)
      .executeTakeFirst();
    const isSame =
      stored?.runs === counted?.runs &&
      stored?.linked === counted?.linked &&
      stored?.sites === counted?.sites &&
      stored?.prompts === counted?.prompts &&
      stored?.pages === counted?.pages;
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
  prompts,
  pages,
}: PackedRuns & { readonly linked: readonly string[] }) {
  return {
    runs: JSON.stringify(runs),
    linked: JSON.stringify(linked),
    sites: JSON.stringify(sites),
    prompts: JSON.stringify(prompts),
    pages: JSON.stringify(pages),
  };
}

const noNames = { names: [], cited: [] };

/** Adds what the stored runs of a day cite, of one engine or of all. */
export async function addStoredSources(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    date,
    engine,
    by,
    sum,
    withPrompts,
  }: {
    date: string;
    engine?: string | undefined;
    by: 'sites' | 'pages';
    sum: SourceSum;
    /** Reads which prompt each run is of, for a sum that leaves some out. */
    withPrompts: boolean;
  },
): Promise<void> {
  const rows = await db
    .selectFrom('source_counts')
    .select(['runs', `${by} as cited`])
    .$if(withPrompts, (query) => query.select('prompts'))
    .where('workspace_id', '=', workspaceId)
    .where('date', '=', date)
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .orderBy('engine')
    .execute();
  for (const { runs, cited, prompts } of rows) {
    const packed = {
      runs: z.custom<readonly number[]>().parse(JSON.parse(runs)),
      prompts: prompts === undefined ? noNames : namesOf(prompts),
    };
    sum.add(date, packed, namesOf(cited));
  }
}

/** Only this module writes the columns, and checking every number would take longer than adding them up. */
function namesOf(text: string): PackedNames {
  return z.custom<PackedNames>().parse(JSON.parse(text));
}
