import { sql } from 'kysely';
import type { Expression, SqlBool, Transaction } from 'kysely';
import { noteChanges } from '../../storage/note-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import { recomputeScores } from '../scores/recompute.ts';
import type { ScoreChange } from '../scores/recompute.ts';
import { restorePrompts } from './restore-prompts.ts';

/** What was removed, and the scores that changed. */
export interface RemovedRuns {
  readonly runs: number;
  readonly detections: number;
  readonly scores: readonly ScoreChange[];
}

/**
 * Removes the runs that match a condition over `runs`, with their answers and detections, and
 * derives the counts and scores of their days again. The database selects the ids itself, because
 * there may be a million.
 */
export async function removeRuns(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  condition: Expression<SqlBool>,
): Promise<RemovedRuns> {
  const removed = transaction
    .selectFrom('runs')
    .where('runs.workspace_id', '=', workspaceId)
    .where(condition);
  const days = await removed
    .select([sql<string>`substr(run_at, 1, 10)`.as('date'), 'engine', 'outcome'])
    .distinct()
    .execute();
  const dates = days.map(({ date }) => date);
  await noteChanges(transaction, workspaceId, { answers: dates, detections: dates });
  await restorePrompts(transaction, workspaceId, condition);
  const detections = await transaction
    .deleteFrom('detections')
    .where('workspace_id', '=', workspaceId)
    .where('run_id', 'in', removed.select('runs.id'))
    .executeTakeFirst();
  await transaction
    .deleteFrom('answers')
    .where('workspace_id', '=', workspaceId)
    .where('run_id', 'in', removed.select('runs.id'))
    .execute();
  const runs = await transaction
    .deleteFrom('runs')
    .where('workspace_id', '=', workspaceId)
    .where(condition)
    .executeTakeFirst();
  return {
    runs: Number(runs.numDeletedRows),
    detections: Number(detections.numDeletedRows),
    scores: await recomputeScores(
      transaction,
      workspaceId,
      days.filter(({ outcome }) => outcome === 'answered'),
    ),
  };
}
