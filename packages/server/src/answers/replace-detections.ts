import type { Transaction } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import { methodVersion } from './detection/method.ts';
import { insertDetections } from './import/insert-runs.ts';
import type { JudgedRun } from './judged-run.ts';
import { detectionColumns } from './stored-detections.ts';
import type { StoredDetection } from './stored-detections.ts';

/** Ids of runs whose detections differ; and those of them in which who is cited, or where, differs. */
export interface ReplacedRuns {
  readonly changed: ReadonlySet<string>;
  readonly cited: ReadonlySet<string>;
}

/** Writes what differs from the stored detections of judged runs. */
export async function replaceDetections(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  runs: readonly JudgedRun[],
): Promise<ReplacedRuns> {
  const stored = await readStored(
    transaction,
    workspaceId,
    runs.map(({ id }) => id),
  );
  const changed = runs.filter(
    ({ id, detections }) => fingerprint(stored.get(id) ?? []) !== fingerprint(detections),
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
  const recited = changed.filter(
    ({ id, detections }) =>
      fingerprint((stored.get(id) ?? []).filter(isCited)) !==
      fingerprint(detections.filter(isCited)),
  );
  return { changed: new Set(ids), cited: new Set(recited.map(({ id }) => id)) };
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

async function readStored(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Comparable[]>> {
  const rows = await transaction
    .selectFrom('detections')
    .select(detectionColumns)
    .where('workspace_id', '=', workspaceId)
    .where('run_id', 'in', [...ids])
    .execute();
  return Map.groupBy(rows, ({ run_id: runId }) => runId);
}

type Comparable = Omit<StoredDetection, 'sentiment' | 'cited'> & {
  readonly cited: boolean | 0 | 1;
};

function isCited({ cited }: Comparable): boolean {
  return Boolean(cited);
}

/** Detections as text that tells any difference. */
function fingerprint(detections: readonly Comparable[]): string {
  return detections
    .map(({ cited, ...row }) => JSON.stringify([Boolean(cited), ...columnsOf(row)]))
    .toSorted()
    .join('\n');
}

function columnsOf(row: Omit<Comparable, 'cited'>): unknown[] {
  return [row.id, row.position, row.rank, row.alias, row.sentence, row.url];
}
