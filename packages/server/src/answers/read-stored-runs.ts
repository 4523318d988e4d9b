import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { pad } from '../storage/chunks.ts';
import type { DataTables } from '../storage/schema.ts';
import { rangeColumns } from '../values/counted-range.ts';

const batchRuns = 200;
/** Most text in one batch, unless a single answer is longer. Answers may have megabytes. */
const batchBytesMax = 1024 * 1024;

/** Reads the runs that have an answer, in batches, by id. */
export async function* readStoredRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { since }: { since: string | undefined },
): AsyncGenerator<StoredRun[]> {
  for (let last = ''; ;) {
    const from = runsWithAnswer(db, workspaceId)
      .where('answers.run_id', '>', last)
      .$if(since !== undefined, (query) => query.where('runs.run_at', '>=', since ?? ''))
      .orderBy('answers.run_id');
    const sizes = await from.select(['runs.id', answerBytes]).limit(batchRuns).execute();
    const end = takeBatch(sizes).at(-1);
    if (end === undefined) return;
    yield await withTexts(from.where('answers.run_id', '<=', end));
    last = end;
  }
}

/** Reads runs by their ids, at most a few hundred. */
export function readRunsById(
  db: Kysely<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<StoredRun[]> {
  return withTexts(runsWithAnswer(db, workspaceId).where('runs.id', 'in', pad(ids)));
}

/** A filter of answered runs. */
export interface AnsweredFilter {
  /** Runs from this moment on. */
  readonly since?: string;
  /** Runs before this moment. */
  readonly before?: string;
  readonly engine?: string;
  /** Most runs to read, the most recent first. */
  readonly runsMax?: number;
}

/** Reads answered runs in batches, most recent first. */
export async function* readLatestAnswered(
  db: Kysely<DataTables>,
  workspaceId: string,
  { since = '', before = '~', engine, runsMax = Number.POSITIVE_INFINITY }: AnsweredFilter,
): AsyncGenerator<StoredRun[]> {
  let left = runsMax;
  for (let last = { run_at: before, id: '~' }; left > 0;) {
    const runs = await runsWithAnswer(db, workspaceId)
      .select(['runs.id', 'run_at', answerBytes])
      .where('outcome', '=', 'answered')
      .where('run_at', '>=', since)
      .where('run_at', '<=', last.run_at)
      .where((run) => run.or([run('run_at', '<', last.run_at), run('runs.id', '>', last.id)]))
      .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
      .orderBy('run_at', 'desc')
      .orderBy('runs.id')
      .limit(batchRuns)
      .execute();
    const batch = takeBatch(runs.slice(0, left));
    const end = runs[batch.length - 1];
    if (end === undefined) return;
    const texts = await withTexts(
      runsWithAnswer(db, workspaceId).where('runs.id', 'in', pad(batch)),
    );
    const byId = new Map(texts.map((run) => [run.id, run]));
    yield batch.flatMap((id) => byId.get(id) ?? []);
    left -= batch.length;
    last = end;
  }
}

/** Select the sizes of answers first, which the databases know without reading the texts. */
const answerBytes = sql<number>`octet_length(answer)`.as('bytes');

function runsWithAnswer(db: Kysely<DataTables>, workspaceId: string) {
  return db
    .selectFrom('runs')
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .where('runs.workspace_id', '=', workspaceId);
}

/** The ids of the first runs that make a batch. It has at least one run, if any is left. */
function takeBatch(runs: ReadonlyArray<{ readonly id: string; readonly bytes: number }>): string[] {
  let sum = 0;
  const tooMany = runs.findIndex(({ bytes }) => (sum += bytes) > batchBytesMax);
  const length = tooMany === -1 ? runs.length : Math.max(1, tooMany);
  return runs.slice(0, length).map(({ id }) => id);
}

/** A stored run with its answer and the range of it that was judged. */
export type StoredRun = Awaited<ReturnType<typeof withTexts>>[number];

/** Reads the runs of a query with their answers. */
async function withTexts(query: ReturnType<typeof runsWithAnswer>) {
  const rows = await query
    .leftJoin('prompts', (join) =>
      join
        .onRef('prompts.workspace_id', '=', 'runs.workspace_id')
        .onRef('prompts.id', '=', 'runs.prompt_id'),
    )
    .select(['runs.id', 'engine', 'run_at as runAt', 'outcome', 'branded', 'names_competitor'])
    .select(['method', 'judged_by as judgedBy'])
    .select(['asked', 'answer', 'sources', 'sites', 'prompts.language', ...rangeColumns])
    .execute();
  return rows.map(({ branded, names_competitor: names, language, ...row }) => ({
    ...row,
    /** The language of its prompt. */
    language: language ?? undefined,
    isBranded: Boolean(branded),
    /** Null on runs that were judged before this fact was stored. */
    namesCompetitor: names === null ? null : Boolean(names),
  }));
}
