import type { Transaction } from 'kysely';
import { padded } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { methodVersion } from '../detection/method.ts';
import { compareCitations } from './citation-changes.ts';
import type { ComparableDetection, RunDifference } from './citation-changes.ts';
import type { JudgedRun } from '../judged-run.ts';
import { detectionColumns, insertDetections } from '../stored-detections.ts';
import type { StoredDetection } from '../stored-detections.ts';

/** Ids of one statement. */
const idsMax = 1024;

/** Writes what differs from the stored detections of judged runs, and returns it by run. */
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
    .map(({ id, detections }) => ({ id, ...compare(stored.get(id) ?? [], detections) }))
    .filter(({ gone, added }) => gone.length + added.length > 0);
  // What stays is left alone: of most runs a new subject adds a row, and ten were right.
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
  return new Map(differing.map(({ id, gone, added }) => [id, compareCitations(gone, added)]));
}

/** The stored detections of a run that are not judged so now, and the judged ones that are not stored so. */
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
      .where('id', 'in', padded(ids.slice(from, from + idsMax)))
      .execute();
  }
}

/** What the prompt of a run may be: the runs of each are updated together. */
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
    ({ run, isBranded, namesCompetitor, judgedBy, isOutdated }) =>
      isOutdated ||
      isBranded !== run.isBranded ||
      namesCompetitor !== run.namesCompetitor ||
      judgedBy !== run.judgedBy,
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
      .where('id', 'in', padded(group.map(({ id }) => id)))
      .execute();
  }
  for (const { id, sites } of runs.filter(({ run, sites: now }) => now !== run.sites)) {
    await transaction
      .updateTable('answers')
      .set({ sites })
      .where('workspace_id', '=', workspaceId)
      .where('run_id', '=', id)
      .execute();
  }
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
    .where('run_id', 'in', padded(ids))
    .execute();
  return Map.groupBy(rows, ({ run_id: runId }) => runId);
}

/** A detection as text, in which any difference shows. */
function fingerprint({ cited, ...row }: ComparableDetection): string {
  const { id, position, rank, alias, sentence, url } = row;
  return JSON.stringify([id, Boolean(cited), position, rank, alias, sentence, url]);
}
