import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { DataTables } from '../storage/schema.ts';
import type { AnswerSource } from './detection/subject.ts';
import type { StoredRun } from './judged-run.ts';

const batchRuns = 200;
/** Text of one batch, at most, unless one answer is longer: answers may have megabytes. */
const batchBytesMax = 1024 * 1024;

/** Which runs to read: all of them, unless something is given. */
export interface RunFilter {
  /** Runs from this moment on. */
  readonly since?: string | undefined;
  /** Runs before this moment. */
  readonly before?: string;
  readonly engine?: string;
}

/** Reads the runs that have an answer, in batches, by id. */
export async function* readStoredRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  filter: RunFilter,
): AsyncGenerator<StoredRun[]> {
  for (let last = ''; ;) {
    const from = storedRuns(db, workspaceId, filter).where('answers.run_id', '>', last);
    // Their sizes first: the databases know them without reading the texts.
    const sizes = await from
      .select(['answers.run_id', sql<number>`octet_length(answer)`.as('bytes')])
      .limit(batchRuns)
      .execute();
    const end = sizes[fitting(sizes) - 1]?.run_id;
    if (end === undefined) return;
    const rows = await from
      .leftJoin('prompts', (join) =>
        join
          .on('prompts.workspace_id', '=', workspaceId)
          .onRef('prompts.id', '=', 'runs.prompt_id'),
      )
      .where('answers.run_id', '<=', end)
      .select(['runs.id', 'engine', 'run_at', 'outcome', 'branded', 'names_competitor', 'method'])
      .select(['asked', 'answer', 'sources', 'sites', 'prompts.language'])
      .execute();
    yield rows.map(({ run_at: runAt, branded, names_competitor: names, language, ...row }) => ({
      ...row,
      language: language ?? undefined,
      runAt,
      isBranded: Boolean(branded),
      namesCompetitor: names === null ? null : Boolean(names),
    }));
    last = end;
  }
}

function storedRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { since, before, engine }: RunFilter,
) {
  return db
    .selectFrom('answers')
    .innerJoin('runs', (join) =>
      join.on('runs.workspace_id', '=', workspaceId).onRef('runs.id', '=', 'answers.run_id'),
    )
    .where('answers.workspace_id', '=', workspaceId)
    .$if(since !== undefined, (query) => query.where('runs.run_at', '>=', since ?? ''))
    .$if(before !== undefined, (query) => query.where('runs.run_at', '<', before ?? ''))
    .$if(engine !== undefined, (query) => query.where('runs.engine', '=', engine ?? ''))
    .orderBy('answers.run_id');
}

/** How many of the first runs make a batch: one at least, where there is one. */
function fitting(sizes: ReadonlyArray<{ readonly bytes: number }>): number {
  let sum = 0;
  const tooMany = sizes.findIndex(({ bytes }) => (sum += bytes) > batchBytesMax);
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}

const storedSources = z.array(z.object({ url: z.string(), title: z.string().optional() }));

/** The sources of a stored run. */
export function parseStoredSources(sources: string): readonly AnswerSource[] {
  return storedSources.parse(JSON.parse(sources));
}
