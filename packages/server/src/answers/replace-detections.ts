import type { Transaction } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import { methodVersion } from './detection/method.ts';
import { insertDetections } from './import/insert-runs.ts';
import type { JudgedRun } from './judged-run.ts';
import { detectionColumns } from './stored-detections.ts';
import type { StoredDetection } from './stored-detections.ts';

/** Writes what differs from the stored detections of judged runs. Returns the ids of runs that differ. */
export async function replaceDetections(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  runs: readonly JudgedRun[],
): Promise<Set<string>> {
  const stored = await readFingerprints(
    transaction,
    workspaceId,
    runs.map(({ id }) => id),
  );
  const changed = runs.filter(
    ({ id, detections }) => (stored.get(id) ?? '') !== fingerprint(detections),
  );
  const ids = changed.map(({ id }) => id);
  if (ids.length > 0) {
    await transaction
      .deleteFrom('detections')
      .where('workspace_id', '=', workspaceId)
      .where('run_id', 'in', ids)
      .execute();
    await insertDetections(
      transaction,
      workspaceId,
      changed.flatMap(({ detections }) => detections),
    );
  }
  await updateRuns(transaction, workspaceId, runs);
  return new Set(ids);
}

async function updateRuns(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  runs: readonly JudgedRun[],
): Promise<void> {
  const stale = runs.filter(
    ({ run, isBranded, isOutdated }) => isOutdated || isBranded !== run.isBranded,
  );
  for (const [branded, group] of Map.groupBy(stale, ({ isBranded }) => isBranded)) {
    await transaction
      .updateTable('runs')
      .set({ branded, method: methodVersion })
      .where('workspace_id', '=', workspaceId)
      .where(
        'id',
        'in',
        group.map(({ id }) => id),
      )
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

/** The stored detections of runs, as text that tells any difference. */
async function readFingerprints(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await transaction
    .selectFrom('detections')
    .select(detectionColumns)
    .where('workspace_id', '=', workspaceId)
    .where('run_id', 'in', [...ids])
    .execute();
  const byRun = Map.groupBy(rows, ({ run_id: runId }) => runId);
  return new Map([...byRun].map(([runId, detections]) => [runId, fingerprint(detections)]));
}

type Comparable = Omit<StoredDetection, 'sentiment' | 'cited'> & {
  readonly cited: boolean | 0 | 1;
};

function fingerprint(detections: readonly Comparable[]): string {
  return detections
    .map(({ cited, ...row }) => JSON.stringify([Boolean(cited), ...columnsOf(row)]))
    .toSorted()
    .join('\n');
}

function columnsOf(row: Omit<Comparable, 'cited'>): unknown[] {
  return [row.id, row.position, row.rank, row.alias, row.sentence, row.url];
}
