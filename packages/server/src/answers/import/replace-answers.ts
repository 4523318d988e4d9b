import type { Store } from '../../storage/store.ts';
import { writeOrTry } from '../../storage/write.ts';
import { rederive } from '../actions/rederive.ts';
import type { Rederivation } from '../actions/rederive.ts';
import type { ImportOptions } from './import-answers.ts';
import { readAnswers } from './read-answers.ts';
import { batchLimits, stageAnswers } from './stage-answers.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import { listenAndRefuseIfStopped } from '../../rows/refuse-if-stopped.ts';
import { pad } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import { parseStoredQueries } from '../../storage/queries/stored-queries.ts';
import { parseStoredSources } from '../../storage/counts/linked-pages.ts';
import { recomputeScores } from '../scores/recompute.ts';
import type { EngineDay, ScoreChange } from '../scores/recompute.ts';
import { readPageTexts } from '../page-texts.ts';
import { createJudge, keepSubjectSet, readSubjects } from '../subjects.ts';
import type { Judge } from '../subjects.ts';
import type { Answer } from './answer.ts';
import { insertRuns, removeUnansweredRuns } from './insert-runs.ts';
import type { StagedFile } from './stage-answers.ts';

/**
 * Replaces stored answers with a new interpretation of the same responses, completely or not at
 * all. Runs, detections, counts, scores and derived actions change in the same transaction. Only
 * for rows of readings: any other file is refused if a stored id has different content. Leaves out
 * rows that cannot be imported.
 */
export async function replaceAnswers(
  store: Store,
  options: Pick<ImportOptions, 'workspaceId' | 'source' | 'isDryRun' | 'signal' | 'clock'> & {
    readonly examplesMax: number;
  },
): Promise<Replacement & { readonly actions: Rederivation }> {
  const { workspaceId, source, isDryRun = false, signal, examplesMax, clock } = options;
  const file = stageAnswers();
  try {
    const how = { format: 'ndjson', isReadings: true, acceptsNewEngines: true } as const;
    await readAnswers(store, file, { ...options, ...how, leavesOut: true });
    file.seal();
    return await writeOrTry(store, workspaceId, {
      isDryRun,
      write: async (transaction) => {
        const { result, actions } = await rederive(transaction, workspaceId, {
          nowMs: clock(),
          remove: () =>
            replaceStoredAnswers(store, transaction, { workspaceId, file, examplesMax, signal }),
        });
        return { ...result, actions };
      },
    });
  } finally {
    file.close();
    source.stream.destroy();
  }
}

/** The fields of a stored run that may change when its response is interpreted again. */
const comparedFields = [
  'outcome',
  'answer',
  'sources',
  'model',
  'cohort',
  'queries',
  'searched',
] as const;

type ComparedField = (typeof comparedFields)[number];

/** A stored answer whose response now gives a different result. */
interface ReplacedAnswer {
  readonly runId: string;
  readonly engine: string;
  readonly runAt: string;
  readonly differences: ReadonlyArray<{
    readonly field: ComparedField;
    readonly before: unknown;
    readonly now: unknown;
  }>;
}

/** What replacing did, or would do. */
interface Replacement {
  readonly hasChanged: boolean;
  /** Stored runs that were compared. */
  readonly compared: number;
  readonly replaced: number;
  /** How many replaced answers differ in each field. */
  readonly fields: Readonly<Record<ComparedField, number>>;
  readonly examples: readonly ReplacedAnswer[];
  readonly scores: readonly ScoreChange[];
}

/**
 * Replaces the stored answers that differ from the staged ones of the same id, judges them, and
 * derives counts and scores again. Leaves out answers without a stored run, because a person has
 * removed that run.
 */
async function replaceStoredAnswers(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  {
    workspaceId,
    file,
    examplesMax,
    signal,
  }: {
    workspaceId: string;
    file: StagedFile;
    examplesMax: number;
    signal: AbortSignal | undefined;
  },
): Promise<Replacement> {
  const judge = createJudge(
    await readSubjects(transaction, workspaceId),
    await readPageTexts(transaction, workspaceId),
  );
  await keepSubjectSet(transaction, workspaceId, judge.subjectSet);
  const fields = {
    outcome: 0,
    answer: 0,
    sources: 0,
    model: 0,
    cohort: 0,
    queries: 0,
    searched: 0,
  };
  const examples: ReplacedAnswer[] = [];
  const days = new Map<string, EngineDay>();
  const count = { compared: 0, replaced: 0 };
  for (const batch of file.answers.batches(batchLimits)) {
    await listenAndRefuseIfStopped(signal);
    const answers = batch.map(({ content }) => content);
    const ids = answers.map(({ id }) => id);
    const runs = await readRuns(transaction, workspaceId, ids);
    const stored = new Map(runs.map((run) => [run.id, run]));
    count.compared += stored.size;
    const changed = answers.flatMap((answer) => {
      const run = stored.get(answer.id);
      const differences = run === undefined ? [] : compare(run, answer);
      return run === undefined || differences.length === 0 ? [] : [{ answer, run, differences }];
    });
    for (const { answer, differences } of changed) {
      const { id: runId, engine, runAt } = answer;
      for (const { field } of differences) fields[field] += 1;
      if (examples.length < examplesMax) examples.push({ runId, engine, runAt, differences });
      days.set(`${runAt.slice(0, 10)} ${engine}`, { date: runAt.slice(0, 10), engine });
    }
    count.replaced += changed.length;
    await replaceRuns(store, transaction, workspaceId, { changed, judge });
  }
  const scores = await recomputeScores(transaction, workspaceId, [...days.values()]);
  return { hasChanged: count.replaced > 0, ...count, fields, examples, scores };
}

type StoredRun = Awaited<ReturnType<typeof readRuns>>[number];

function readRuns(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
) {
  return transaction
    .selectFrom('runs')
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select(['runs.id', 'outcome', 'answer', 'sources', 'model', 'cohort', 'queries'])
    .select(['searched', 'import_id', 'later_import_id'])
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.id', 'in', pad(ids))
    .execute();
}

function compare(run: StoredRun, answer: Answer): ReplacedAnswer['differences'] {
  const before = {
    ...run,
    sources: parseStoredSources(run.sources),
    queries: parseStoredQueries(run.queries),
    searched: run.searched === null ? null : Boolean(run.searched),
  };
  return comparedFields.flatMap((field) =>
    isDeepStrictEqual(before[field], answer[field])
      ? []
      : [{ field, before: before[field], now: answer[field] }],
  );
}

/**
 * The runs keep the numbers of their imports, so that reverting an import still removes its runs.
 */
async function replaceRuns(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    changed,
    judge,
  }: { changed: ReadonlyArray<{ readonly answer: Answer; readonly run: StoredRun }>; judge: Judge },
): Promise<void> {
  const ids = changed.map(({ run }) => run.id);
  if (ids.length === 0) return;
  const reworded = changed.flatMap(({ answer, run }) =>
    answer.answer === run.answer ? [] : [run.id],
  );
  // The quotes of stances are words of the answer.
  for (const [table, of] of [
    ['stances', reworded],
    ['stance_labels', reworded],
    ['answers', ids],
  ] as const) {
    if (of.length === 0) continue;
    await transaction
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('run_id', 'in', pad(of))
      .execute();
  }
  await removeUnansweredRuns(transaction, workspaceId, ids);
  const marked = Map.groupBy(changed, ({ run }) =>
    JSON.stringify([run.import_id, run.later_import_id]),
  );
  for (const group of marked.values()) {
    const answers = group.map(({ answer }) => answer);
    const { import_id: importId = null, later_import_id = null } = group[0]?.run ?? {};
    await insertRuns(store, transaction, workspaceId, { answers, judge, importId });
    if (later_import_id === null) continue;
    await transaction
      .updateTable('runs')
      .set({ later_import_id })
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', pad(answers.map(({ id }) => id)))
      .execute();
  }
}
