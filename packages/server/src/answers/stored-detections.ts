import type { SubjectType } from '@overheard/contract';
import type { Transaction } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { contentId } from '../values/uuid.ts';
import type { Detection } from './detection/detect.ts';

/** The columns of a detection, without the workspace. */
export interface StoredDetection {
  readonly id: string;
  readonly run_id: string;
  readonly subject_type: SubjectType;
  readonly subject_id: string | null;
  readonly cited: boolean;
  readonly position: number | null;
  readonly rank: number | null;
  readonly sentiment: null;
  readonly alias: string | null;
  readonly sentence: string | null;
  readonly url: string | null;
}

/** The columns of `StoredDetection`, for queries. */
export const detectionColumns = [
  'id',
  'run_id',
  'subject_type',
  'subject_id',
  'cited',
  'position',
  'rank',
  'alias',
  'sentence',
  'url',
] as const;

/** Makes a row of a detection. An import of the same detection would give it the same id. */
export function toStoredDetection(runId: string, detection: Detection): StoredDetection {
  const { subjectId, subjectType } = detection;
  return {
    id: contentId('detection', [runId, subjectType, subjectId, 1]),
    run_id: runId,
    subject_type: subjectType,
    subject_id: subjectId,
    cited: detection.isCited,
    position: detection.position,
    rank: detection.rank,
    sentiment: null,
    alias: detection.alias,
    sentence: detection.sentence,
    url: detection.url,
  };
}

/** Writes detections that are not stored yet. */
export async function insertDetections(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  detections: readonly StoredDetection[],
): Promise<void> {
  const insert = rowStatement(
    transaction,
    (rows: ReadonlyArray<StoredDetection & { readonly workspace_id: string }>) =>
      transaction.insertInto('detections').values(rows).compile(),
  );
  await insert(detections.map((row) => ({ workspace_id: workspaceId, ...row })));
}
