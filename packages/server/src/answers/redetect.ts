import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { CommandError } from '../problems.ts';
import { listenAndRefuseIfStopped } from '../rows/stop.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { writeOrTry } from '../storage/write-or-try.ts';
import { methodVersion } from './detection/method.ts';
import type { JudgedRun, StoredRun } from './judged-run.ts';
import { replaceDetections } from './replace-detections.ts';
import { recomputeScores } from './scores/recompute.ts';
import type { EngineDay, ScoreChange } from './scores/recompute.ts';
import { toStoredDetection } from './stored-detections.ts';
import { createJudge, readSubjects } from './subjects.ts';
import type { Judge } from './subjects.ts';

export interface RedetectOptions {
  readonly workspaceId: string;
  /** Only runs from this moment on. */
  readonly since?: string | undefined;
  readonly isDryRun?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onJudged?: (runs: number) => void;
}

/** What a redetection did, or would do. */
export interface Redetection {
  readonly hasChanged: boolean;
  /** Runs with an answer that were judged. */
  readonly judged: number;
  /** Runs whose detections, or whether their prompts name the brand or a competitor, changed. */
  readonly changed: number;
  /** Of them, those in which who is cited, or where, changed: not only who is looked for. */
  readonly recited: number;
  /** Runs that another method had judged. */
  readonly outdated: number;
  readonly scores: readonly ScoreChange[];
  readonly warnings: readonly string[];
}

const batchRuns = 200;
/** Text of one batch, at most, unless one answer is longer: answers may have megabytes. */
const batchBytesMax = 1024 * 1024;

/**
 * Judges stored answers again, by the subjects as they are now, and recomputes the scores of the
 * touched days: one transaction, seen whole or not at all. Runs without an answer stay as they are.
 * Throws a `CommandError` where a pattern cannot be used or a person has stopped it.
 */
export async function redetect(
  store: Store,
  { workspaceId, since, isDryRun = false, signal, onJudged = () => {} }: RedetectOptions,
): Promise<Redetection> {
  return writeOrTry(store, workspaceId, { isDryRun, write }).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`${error.message}\nNothing was changed.`, { cause: error });
  });

  async function write(transaction: Transaction<DataTables>): Promise<Redetection> {
    const judge = createJudge(await readSubjects(transaction, workspaceId));
    const days = new Map<string, EngineDay>();
    const count = { judged: 0, changed: 0, recited: 0, outdated: 0 };
    for await (const runs of readRuns(transaction, workspaceId, { since })) {
      await listenAndRefuseIfStopped(signal);
      const judged = runs.map((run) => judgeAgain(run, judge));
      const { changed, cited } = await replaceDetections(transaction, workspaceId, judged);
      count.recited += cited.size;
      for (const judgedRun of judged) {
        if (judgedRun.isOutdated) count.outdated += 1;
        if (!changed.has(judgedRun.id) && !hasOtherPromptFacts(judgedRun)) continue;
        count.changed += 1;
        const { runAt, engine } = judgedRun.run;
        const day = { date: runAt.slice(0, 10), engine };
        days.set(`${day.date} ${day.engine}`, day);
      }
      count.judged += runs.length;
      onJudged(count.judged);
    }
    const scores = await recomputeScores(transaction, workspaceId, [...days.values()]);
    const hasChanged = count.changed + count.outdated > 0;
    return { hasChanged, ...count, scores, warnings: judge.warnings };
  }
}

const storedSources = z.array(z.object({ url: z.string(), title: z.string().optional() }));

function judgeAgain(run: StoredRun, judge: Judge): JudgedRun {
  const { detections, sites } =
    run.outcome === 'answered'
      ? judge.detect(run.answer, storedSources.parse(JSON.parse(run.sources)))
      : { detections: [], sites: [] };
  return {
    id: run.id,
    run,
    ...judge.judgePrompt(run.asked),
    isOutdated: run.method !== methodVersion || run.namesCompetitor === null,
    sites: JSON.stringify(sites),
    detections: detections.map((detection) => toStoredDetection(run.id, detection)),
  };
}

/** A fact that was not kept before has not changed. */
function hasOtherPromptFacts({ run, isBranded, namesCompetitor }: JudgedRun): boolean {
  return (
    isBranded !== run.isBranded || namesCompetitor !== (run.namesCompetitor ?? namesCompetitor)
  );
}

async function* readRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { since }: { since: string | undefined },
): AsyncGenerator<StoredRun[]> {
  for (let last = ''; ;) {
    const from = storedRuns(db, workspaceId, since).where('answers.run_id', '>', last);
    // Their sizes first: the databases know them without reading the texts.
    const sizes = await from
      .select(['answers.run_id', sql<number>`octet_length(answer)`.as('bytes')])
      .limit(batchRuns)
      .execute();
    const end = sizes[fitting(sizes) - 1]?.run_id;
    if (end === undefined) return;
    const rows = await from
      .where('answers.run_id', '<=', end)
      .select(['runs.id', 'engine', 'run_at', 'outcome', 'branded', 'names_competitor', 'method'])
      .select(['asked', 'answer', 'sources', 'sites'])
      .execute();
    yield rows.map(({ run_at: runAt, branded, names_competitor: names, ...row }) => ({
      ...row,
      runAt,
      isBranded: Boolean(branded),
      namesCompetitor: names === null ? null : Boolean(names),
    }));
    last = end;
  }
}

function storedRuns(db: Kysely<DataTables>, workspaceId: string, since: string | undefined) {
  return db
    .selectFrom('answers')
    .innerJoin('runs', (join) =>
      join.on('runs.workspace_id', '=', workspaceId).onRef('runs.id', '=', 'answers.run_id'),
    )
    .where('answers.workspace_id', '=', workspaceId)
    .$if(since !== undefined, (query) => query.where('runs.run_at', '>=', since ?? ''))
    .orderBy('answers.run_id');
}

/** How many of the first runs make a batch: one at least, where there is one. */
function fitting(sizes: ReadonlyArray<{ readonly bytes: number }>): number {
  let sum = 0;
  const tooMany = sizes.findIndex(({ bytes }) => (sum += bytes) > batchBytesMax);
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}
