import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Refusal } from '../refusals.ts';
import type { DataTables } from './schema.ts';
import type { Store } from './store.ts';

/** Makes a new random revision. A counter would repeat values after a backup is restored. */
export function newRevision(): string {
  return randomBytes(12).toString('base64url');
}

/**
 * Changes one workspace's data in one transaction. Writers of the same workspace wait for each
 * other. If `write` returns that anything changed, the workspace gets a new revision, which
 * invalidates its caches and ETags.
 */
export function writeWorkspace<Result extends { hasChanged: boolean }>(
  store: Store,
  workspaceId: string,
  write: (transaction: Transaction<DataTables>) => Promise<Result>,
): Promise<Result> {
  return store.write(async (transaction) => {
    await lockWorkspace(store, transaction, workspaceId);
    const result = await write(transaction);
    if (result.hasChanged) await drawRevision(transaction, workspaceId);
    return result;
  });
}

/**
 * Like `writeWorkspace`. A dry run does the same work and rolls it back, so that its result is
 * exact.
 */
export function writeOrTry<Result extends { hasChanged: boolean }>(
  store: Store,
  workspaceId: string,
  {
    isDryRun,
    write,
  }: { isDryRun: boolean; write: (transaction: Transaction<DataTables>) => Promise<Result> },
): Promise<Result> {
  return isDryRun
    ? tryOut(store, (trial) => writeWorkspace(trial, workspaceId, write))
    : writeWorkspace(store, workspaceId, write);
}

/** Thrown to roll back the transaction of a dry run. */
class RolledBack extends Error {}

/**
 * Runs `work`, which may write several times, in one transaction, and rolls it back. Other writers
 * wait until it ends.
 */
export async function tryOut<Result>(
  store: Store,
  work: (trial: Store) => Promise<Result>,
): Promise<Result> {
  const result = Promise.withResolvers<Result>();
  try {
    await inOneTransaction(store, async (trial) => {
      result.resolve(await work(trial));
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return result.promise;
}

/** Runs `work`, which may write several times, in one transaction. Other writers wait until it ends. */
export async function inOneTransaction<Result>(
  store: Store,
  work: (inside: Store) => Promise<Result>,
): Promise<Result> {
  return store.write(async (transaction) => {
    const write: Store['write'] = (nested) => nested(transaction);
    return work({ ...store, reader: transaction, writer: transaction, write });
  });
}

/** Locks the workspace on PostgreSQL. On SQLite the transaction is already the only writer. */
async function lockWorkspace(
  store: Store,
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  const row = await transaction
    .selectFrom('revisions')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .$if(store.dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('workspace_removed', {});
}

async function drawRevision(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  await transaction
    .updateTable('revisions')
    .set({ revision: newRevision() })
    .where('workspace_id', '=', workspaceId)
    .execute();
}
