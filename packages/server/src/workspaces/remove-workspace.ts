import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { Refusal } from '../refusals.ts';
import type { AccessTables, DataTables, LedgerTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { isUnavailable } from '../storage/unavailable.ts';
import { workspaceTables } from '../storage/workspace-tables.ts';
import { writeWorkspace } from '../storage/write.ts';

/** The rows that would be lost with a workspace, for the confirmation. */
export interface WorkspaceCounts {
  readonly keys: number;
  readonly subjects: number;
  readonly prompts: number;
  readonly runs: number;
  readonly detections: number;
  readonly scores: number;
  readonly actions: number;
  readonly hits: number;
  /** Published ones. */
  readonly reports: number;
}

/** Counts the rows of a workspace. */
export async function countWorkspace(store: Store, workspaceId: string): Promise<WorkspaceCounts> {
  const count = (table: keyof DataTables): Promise<number> =>
    countRows(store.reader, table, workspaceId);
  return {
    keys: await countRows(store.access, 'keys', workspaceId),
    subjects: await count('subjects'),
    prompts: await count('prompts'),
    runs: await count('runs'),
    detections: await count('detections'),
    scores: await count('scores'),
    actions: await count('actions'),
    hits: await count('hits'),
    reports: await count('published_reports'),
  };
}

/**
 * Removes a workspace with all its rows, after waiting for a running import. On PostgreSQL this is
 * one transaction. On SQLite it is one per file, keys first, so that nobody reads a half-removed
 * workspace, and running it again finishes an interrupted removal. Removes the ledger's rows before
 * and after, because a reading may be planned meanwhile. Throws a `Refusal` if an import lasts too
 * long, when the keys on SQLite are already removed.
 */
export async function removeWorkspace(store: Store, workspaceId: string): Promise<void> {
  // Remove the ledger's rows first, so that no more questions are asked.
  await removeLedger(store, workspaceId);
  if (store.dialect === 'sqlite') await removeAccess(store.access, workspaceId);
  await removeData(store, workspaceId);
  await removeLedger(store, workspaceId);
  // Remove keys that were made meanwhile. No more can be made, because making one checks that the
  // workspace exists.
  await removeAccess(store.access, workspaceId);
}

async function removeData(store: Store, workspaceId: string): Promise<void> {
  const removed = writeWorkspace(store, workspaceId, async (transaction) => {
    if (store.dialect === 'postgres') {
      await deleteRows(transaction, workspaceTables.access, workspaceId);
    }
    await deleteRows(transaction, workspaceTables.data, workspaceId);
    await transaction.deleteFrom('workspaces').where('id', '=', workspaceId).execute();
    return { hasChanged: true };
  });
  await removed.catch((error: unknown) => {
    if (store.dialect === 'postgres' || !isUnavailable(error)) throw error;
    throw new Refusal('workspace_half_removed', {}, { cause: error });
  });
}

async function removeAccess(access: Kysely<AccessTables>, workspaceId: string): Promise<void> {
  await access
    .transaction()
    .execute((transaction) => deleteRows(transaction, workspaceTables.access, workspaceId));
}

async function removeLedger(store: Store, workspaceId: string): Promise<void> {
  const ledger = await store.ledger();
  await ledger?.write(async (transaction) => {
    await chargeOpenQuestions(transaction, workspaceId);
    await deleteRows(transaction, workspaceTables.ledger, workspaceId);
  });
}

/**
 * Charges the operator the bounds of open questions, which are billed in any case. Their processes
 * correct the amounts later.
 */
async function chargeOpenQuestions(
  transaction: Transaction<LedgerTables>,
  workspaceId: string,
): Promise<void> {
  const open = [];
  for (const table of ['readings', 'judgements'] as const) {
    const rows = await transaction
      .updateTable(table)
      .set({ state: 'unknown' })
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'sent')
      .returning(['engine', 'day', 'bound_micros'])
      .execute();
    open.push(...rows);
  }
  for (const { engine, day, bound_micros: bound } of open) {
    // Use the same order of locks as bookings.
    for (const scope of [engine, '']) {
      for (const period of [day, day.slice(0, 7)]) {
        await transaction
          .updateTable('operator_budgets')
          .set((row) => ({
            held_micros: row('held_micros', '-', bound ?? 0),
            spent_micros: row('spent_micros', '+', bound ?? 0),
          }))
          .where('scope', '=', scope)
          .where('period', '=', period)
          .execute();
      }
    }
  }
}

async function deleteRows<Tables>(
  db: Transaction<Tables>,
  tables: readonly string[],
  workspaceId: string,
): Promise<void> {
  for (const table of tables) {
    await sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(db);
  }
}

async function countRows<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  workspaceId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where workspace_id = ${workspaceId}
  `.execute(db);
  return rows[0]?.count ?? 0;
}
