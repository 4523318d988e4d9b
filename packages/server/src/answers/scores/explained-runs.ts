import type { SubjectType } from '@overheard/contract';
import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { pad } from '../../storage/chunks.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';

/** One cited subject of a run, with the mention or link that shows it. */
export interface StoredCitation {
  readonly subject: string;
  readonly subject_id: string | null;
  readonly subject_type: SubjectType;
  readonly rank: number | null;
  readonly position: number | null;
  readonly alias: string | null;
  readonly sentence: string | null;
  readonly url: string | null;
}

/** A run with the subjects that it cites. */
export interface CitingRun {
  readonly run_id: string;
  readonly prompt_id: string | null;
  readonly asked: string;
  /** Whether the prompt names a competitor; null if that is not known. */
  readonly names_competitor: boolean | null;
  readonly engine: string;
  readonly run_at: string;
  readonly cited: readonly StoredCitation[];
}

/** A run of any outcome. The outcome is null if the run was imported without its answer. */
export type AnyRun = CitingRun & {
  readonly outcome: string | null;
  readonly isBranded: boolean;
};

/** Selects runs by UTC days, both included. Includes all engines and prompts if none are given. */
export interface ExplainedFilter {
  readonly from: string;
  readonly to: string;
  readonly engines?: readonly string[] | undefined;
  readonly promptIds?: readonly string[] | undefined;
}

/** Reads runs with the subjects that they cite, ordered by time. */
export async function readExplainedRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  filter: ExplainedFilter,
): Promise<AnyRun[]> {
  const runs = await selectRuns(db, workspaceId, filter)
    .leftJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select(['runs.id as run_id', 'prompt_id', 'asked', 'engine', 'run_at', 'outcome', 'branded'])
    .select('names_competitor')
    .orderBy('run_at')
    .orderBy('runs.id')
    .execute();
  const cited = Map.groupBy(
    await readCitations(db, workspaceId, filter),
    ({ run_id: runId }) => runId,
  );
  return runs.map(({ run_id, prompt_id, asked, branded, names_competitor: names, ...run }) => ({
    run_id,
    prompt_id,
    asked: asked ?? '',
    names_competitor: names === null ? null : Boolean(names),
    ...run,
    isBranded: Boolean(branded),
    cited: (cited.get(run_id) ?? []).map(({ run_id: _, name, ...citation }) => ({
      subject: name ?? citation.subject_id ?? '',
      ...citation,
    })),
  }));
}

function selectRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, engines, promptIds }: ExplainedFilter,
) {
  return db
    .selectFrom('runs')
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.run_at', '>=', startOfDay(from))
    .where('runs.run_at', '<', endOfDay(to))
    .$if(engines !== undefined, (query) => query.where('engine', 'in', pad(engines ?? [])))
    .$if(promptIds !== undefined, (query) => query.where('prompt_id', 'in', pad(promptIds ?? [])));
}

function readCitations(db: Kysely<DataTables>, workspaceId: string, filter: ExplainedFilter) {
  return selectRuns(db, workspaceId, filter)
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .leftJoin('subjects', (join) =>
      join
        .on('subjects.workspace_id', '=', workspaceId)
        .onRef('subjects.id', '=', 'detections.subject_id'),
    )
    .select(['run_id', 'subject_id', 'name', 'detections.subject_type', 'rank', 'position'])
    .select(['alias', 'sentence', 'url'])
    .where('cited', '=', true)
    .orderBy('rank')
    .execute();
}
