import { sql } from 'kysely';
import type { Expression, SqlBool, Transaction } from 'kysely';
import { noteChanges } from '../../storage/note-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import { recomputeScores } from '../scores/recompute.ts';
import type { ScoreChange } from '../scores/recompute.ts';

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
  for (const table of ['stances', 'stance_labels', 'answers'] as const) {
    await transaction
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('run_id', 'in', removed.select('runs.id'))
      .execute();
  }
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

/**
 * Call this before runs are removed. A prompt that an import of answers created has its time and
 * text from its runs. If a removed run gave them, takes them from the remaining runs.
 */
async function restorePrompts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  condition: Expression<SqlBool>,
): Promise<void> {
  const ofAnswers = sql`(
    select imports.id from imports where workspace_id = ${workspaceId} and kind = 'answers')`;
  const isOurs = sql`
    workspace_id = ${workspaceId} and import_id in ${ofAnswers}
    and (later_import_id is null or later_import_id in ${ofAnswers})`;
  const runs = sql`
    runs where runs.workspace_id = ${workspaceId} and runs.prompt_id = prompts.id
      and runs.outcome is not null`;
  const texts = sql`
    runs join answers on answers.workspace_id = ${workspaceId} and answers.run_id = runs.id
    where runs.workspace_id = ${workspaceId} and runs.prompt_id = prompts.id`;
  const isLeft = sql`(${condition}) is not true`;
  await sql`
    update prompts set created_at = (select min(runs.run_at) from ${runs} and ${isLeft})
    where ${isOurs}
      and exists (select 1 from ${runs} and runs.run_at = prompts.created_at and ${condition})
      and exists (select 1 from ${runs} and ${isLeft})`.execute(transaction);
  await sql`
    update prompts set text = (
      select answers.asked from ${texts} and ${isLeft} order by runs.run_at desc, answers.asked limit 1)
    where ${isOurs}
      and exists (select 1 from ${texts} and answers.asked = prompts.text and ${condition})
      and exists (select 1 from ${runs} and ${isLeft})
      and not exists (select 1 from ${texts} and answers.asked = prompts.text and ${isLeft})`.execute(
    transaction,
  );
}
