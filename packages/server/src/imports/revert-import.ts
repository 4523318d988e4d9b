import { sql } from 'kysely';
import type { Expression, RawBuilder, SqlBool, Transaction } from 'kysely';
import { rederive } from '../answers/actions/rederive.ts';
import type { Rederivation } from '../answers/actions/rederive.ts';
import { removeRuns } from '../answers/remove/remove-runs.ts';
import type { ScoreChange } from '../answers/scores/recompute.ts';
import { recountHits } from '../storage/counts/hit-counts.ts';
import { noteChanges } from '../storage/note-changes.ts';
import { forgetRemovedPrompts } from '../storage/prompt-tags.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { writeOrTry } from '../storage/write.ts';
import { findKeptRows } from './find-kept-rows.ts';
import type { KeptRows } from './find-kept-rows.ts';
import { findImport } from './list-imports.ts';
import type { ImportRecord } from './list-imports.ts';
import { isOrphan, isUntouched, lastMeeting, tablesOf } from './orphans.ts';
import type { MarkedTable } from './orphans.ts';

export interface RevertOptions {
  readonly workspaceId: string;
  /** The number of the import. */
  readonly id: number;
  /** The user; undefined on the command line. */
  readonly revertedBy?: string | undefined;
  readonly isDryRun?: boolean;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The effect of reverting an import, done or planned. */
export interface Revert {
  readonly hasChanged: boolean;
  /** The import as it was before. */
  readonly record: ImportRecord;
  /** Removed rows by table. */
  readonly removed: Readonly<Partial<Record<MarkedTable, number>>>;
  /** Rows that the import created but that stay. */
  readonly kept: readonly KeptRows[];
  readonly scores: readonly ScoreChange[];
  readonly actions: Rederivation;
}

const nothing = {
  removed: {},
  kept: [],
  scores: [],
  actions: { removed: 0, opened: 0, updated: 0 },
};

/**
 * Reverts an import in one transaction. Removes the rows that it created, except changed ones and
 * those of other imports, and derives scores, counts and actions again. An import that was reverted
 * before stays reverted. Throws a `Refusal` for an unknown number.
 */
export async function revertImport(
  store: Store,
  { workspaceId, id, revertedBy, isDryRun = false, clock }: RevertOptions,
): Promise<Revert> {
  const nowMs = clock();
  return writeOrTry(store, workspaceId, {
    isDryRun,
    write: async (transaction) => {
      const record = await findImport(transaction, workspaceId, id);
      if (record.reverted_at !== null) return { hasChanged: false, record, ...nothing };
      await transaction
        .updateTable('imports')
        .set({
          reverted_at: new Date(nowMs).toISOString(),
          reverted_by: revertedBy ?? null,
        })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
      const { result, actions } = await rederive(transaction, workspaceId, {
        nowMs,
        remove: () => removeOrphans(store, transaction, workspaceId, record),
      });
      const { removed, opened, updated } = actions;
      const rows = Object.values(result.removed).reduce((sum, count) => sum + count, 0);
      const hasChanged = rows + result.scores.length + removed + opened + updated > 0;
      return { hasChanged, record, ...result, actions };
    },
  });
}

async function removeOrphans(
  store: Store,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { id, kind }: ImportRecord,
): Promise<Pick<Revert, 'removed' | 'kept' | 'scores'>> {
  const removed: Partial<Record<MarkedTable, number>> = {};
  const keptRows: KeptRows[] = [];
  let scores: readonly ScoreChange[] = [];
  for (const table of tablesOf(kind)) {
    const last = await lastMeeting(transaction, workspaceId, table);
    const orphan = isOrphan(workspaceId, table, last);
    const condition = sql<SqlBool>`${orphan} and ${isUntouched(workspaceId, table)}`;
    if (table === 'runs') {
      if (kind === 'detections') {
        const freed = await promptsFreedWith(transaction, workspaceId, condition);
        const prompts = { table: 'prompts', condition: freed } as const;
        removed.prompts = await removeRows(store, transaction, workspaceId, prompts);
      }
      const runs = await removeRuns(transaction, workspaceId, condition);
      removed.runs = runs.runs;
      removed.detections = (removed.detections ?? 0) + runs.detections;
      scores = runs.scores;
    } else {
      removed[table] = await removeRows(store, transaction, workspaceId, { table, condition });
    }
    // Keep a derived score, but remove the imported score that it replaced.
    if (table === 'scores') await forgetReplaced(transaction, workspaceId, orphan);
    keptRows.push(...(await findKeptRows(transaction, workspaceId, { table, importId: id, last })));
  }
  return { removed, kept: keptRows, scores };
}

/**
 * Selects prompts that no import has any more, and whose only runs are those that `condition`
 * selects. A prompt outlives its own imports if a file of detections still has its run.
 */
async function promptsFreedWith(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  condition: Expression<SqlBool>,
): Promise<Expression<SqlBool>> {
  const last = await lastMeeting(transaction, workspaceId, 'prompts');
  const runs = sql`
    select 1 from runs where runs.workspace_id = ${workspaceId} and runs.prompt_id = prompts.id`;
  return sql<SqlBool>`${isOrphan(workspaceId, 'prompts', last)}
    and exists (${runs} and ${condition})
    and not exists (${runs} and runs.outcome is not null and (${condition}) is not true)`;
}

async function removeRows(
  store: Store,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { table, condition }: { table: MarkedTable; condition: Expression<SqlBool> },
): Promise<number> {
  const dates = await datesOf(transaction, workspaceId, { table, condition });
  await noteChanges(transaction, workspaceId, { [table]: dates });
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where workspace_id = ${workspaceId} and ${condition}`.execute(
    transaction,
  );
  if (table === 'prompts') await forgetRemovedPrompts(transaction, workspaceId);
  if (table === 'hits' && dates.length > 0) {
    await recountHits(store, transaction, workspaceId, dates);
  }
  return Number(numAffectedRows ?? 0);
}

/** The UTC days of rows whose days clients follow; none of other tables. */
async function datesOf(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { table, condition }: { table: MarkedTable; condition: Expression<SqlBool> },
): Promise<string[]> {
  if (table !== 'hits' && table !== 'scores' && table !== 'detections') return [];
  const moment = { hits: 'hit_at', scores: 'date', detections: 'runs.run_at' }[table];
  const ofRun = sql`join runs on runs.workspace_id = ${workspaceId} and runs.id = detections.run_id`;
  const { rows } = await sql<{ date: string }>`
    select distinct substr(${sql.ref(moment)}, 1, 10) as date
    from ${sql.table(table)} ${table === 'detections' ? ofRun : sql``}
    where ${sql.table(table)}.workspace_id = ${workspaceId} and ${condition} order by date`.execute(
    transaction,
  );
  return rows.map(({ date }) => date);
}

async function forgetReplaced(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  orphan: RawBuilder<SqlBool>,
): Promise<void> {
  await transaction
    .updateTable('scores')
    .set({ replaced: null, import_id: null, later_import_id: null })
    .where('workspace_id', '=', workspaceId)
    .where('origin', '=', 'derived')
    .where(orphan)
    .execute();
}
