import type { Transaction } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import { noteChanges } from '../../storage/note-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { rangeColumns } from '../../values/counted-range.ts';
import type { CountedRange } from '../../values/counted-range.ts';
import { methodVersion } from '../detection/detect.ts';
import { compareCitations } from './compare-citations.ts';
import type { ComparableDetection, RunDifference } from './compare-citations.ts';
import type { StoredRun } from '../read-stored-runs.ts';
import { detectionColumns, insertDetections } from '../stored-detections.ts';
import type { StoredDetection } from '../stored-detections.ts';

/** A run with its new judgement. */
export interface JudgedRun {
  readonly id: string;
  readonly run: StoredRun;
  readonly isBranded: boolean;
  readonly namesCompetitor: boolean;
  readonly judgedBy: string;
  readonly isOutdated: boolean;
  readonly sites: string;
  readonly range: CountedRange;
  readonly detections: readonly StoredDetection[];
}

/** Most ids in one statement. */
const idsMax = 1024;

/**
 * Updates the stored detections of judged runs where they differ, and returns the differences by
 * run.
 */
export async function replaceDetections(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  runs: readonly JudgedRun[],
): Promise<ReadonlyMap<string, RunDifference>> {
  const stored = await readStored(
    transaction,
    workspaceId,
    runs.map(({ id }) => id),
  );
  const differing = runs
    .map(({ id, run, detections }) => ({
      id,
      runAt: run.runAt,
      ...compare(stored.get(id) ?? [], detections),
    }))
    .filter(({ gone, added }) => gone.length + added.length > 0);
  // Write only the differences: a new subject usually adds one row to a run, and the other ten rows
  // stay.
  await removeDetections(
    transaction,
    workspaceId,
    differing.flatMap(({ gone }) => gone.map(({ id }) => id)),
  );
  await insertDetections(
    store,
    transaction,
    workspaceId,
    differing.flatMap(({ added }) => added),
  );
  await updateRuns(transaction, workspaceId, runs);
  const moments = differing.map(({ runAt }) => runAt);
  const others = runs.filter((run) => isReread(run) || hasOtherFacts(run));
  await noteChanges(transaction, workspaceId, {
    answers: [...moments, ...others.map(({ run }) => run.runAt)],
    detections: moments,
  });
  return new Map(differing.map(({ id, gone, added }) => [id, compareCitations(gone, added)]));
}

/**
 * The stored detections of a run that the new judgement does not have, and the new ones that are
 * not stored.
 */
function compare(
  stored: readonly ComparableDetection[],
  judged: readonly StoredDetection[],
): { gone: readonly ComparableDetection[]; added: readonly StoredDetection[] } {
  const before = new Set(stored.map(fingerprint));
  const now = new Set(judged.map(fingerprint));
  return {
    gone: stored.filter((row) => !now.has(fingerprint(row))),
    added: judged.filter((row) => !before.has(fingerprint(row))),
  };
}

async function removeDetections(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  for (let from = 0; from < ids.length; from += idsMax) {
    await transaction
      .deleteFrom('detections')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', pad(ids.slice(from, from + idsMax)))
      .execute();
  }
}

/** The facts about a run's prompt. Runs with equal facts are updated together. */
const promptFacts = [
  { branded: false, names_competitor: false },
  { branded: false, names_competitor: true },
  { branded: true, names_competitor: false },
  { branded: true, names_competitor: true },
];

async function updateRuns(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  runs: readonly JudgedRun[],
): Promise<void> {
  const stale = runs.filter(
    (judged) =>
      judged.isOutdated || hasOtherFacts(judged) || judged.judgedBy !== judged.run.judgedBy,
  );
  for (const facts of promptFacts) {
    const { branded, names_competitor: names } = facts;
    const group = stale.filter((run) => run.isBranded === branded && run.namesCompetitor === names);
    const judgedBy = group[0]?.judgedBy;
    if (judgedBy === undefined) continue;
    await transaction
      .updateTable('runs')
      .set({ ...facts, method: methodVersion, judged_by: judgedBy })
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', pad(group.map(({ id }) => id)))
      .execute();
  }
  for (const { id, sites, range } of runs.filter(isReread)) {
    await transaction
      .updateTable('answers')
      .set({ sites, ...range })
      .where('workspace_id', '=', workspaceId)
      .where('run_id', '=', id)
      .execute();
  }
}

/** Whether the prompt names the brand or a competitor unlike before. */
function hasOtherFacts({ run, isBranded, namesCompetitor }: JudgedRun): boolean {
  return isBranded !== run.isBranded || namesCompetitor !== run.namesCompetitor;
}

/** Whether the answer has another counted range or other sites than before. */
function isReread({ run, sites, range }: JudgedRun): boolean {
  return sites !== run.sites || rangeColumns.some((end) => range[end] !== run[end]);
}

async function readStored(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, ComparableDetection[]>> {
  const rows = await transaction
    .selectFrom('detections')
    .select(detectionColumns)
    .where('workspace_id', '=', workspaceId)
    .where('run_id', 'in', pad(ids))
    .execute();
  return Map.groupBy(rows, ({ run_id: runId }) => runId);
}

/** A detection as text: two are equal only if all their fields are. */
function fingerprint({ cited, ...row }: ComparableDetection): string {
  const { id, position, rank, alias, sentence, url } = row;
  return JSON.stringify([id, Boolean(cited), position, rank, alias, sentence, url]);
}
