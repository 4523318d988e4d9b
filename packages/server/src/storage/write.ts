import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { CommandError } from '../problems.ts';
import { analyze, findMuchWritten } from './postgres/statistics.ts';
import type { DataTables } from './schema.ts';
import type { Store } from './store.ts';

/** A new random revision. Never a counter: a restored backup must not repeat one. */
export function newRevision(): string {
  return randomBytes(12).toString('base64url');
}

/**
 * Changes one workspace's data in one transaction, seen whole or not at all. Writers of the same
 * workspace wait for each other. `write` says whether anything changed: only then a new revision is
 * drawn, and every cache and ETag of the workspace is void.
 */
export async function writeWorkspace<Result extends { hasChanged: boolean }>(
  store: Store,
  workspaceId: string,
  write: (transaction: Transaction<DataTables>) => Promise<Result>,
): Promise<Result> {
  try {
    let muchWritten: readonly string[] = [];
    const written = await store.writer.transaction().execute(async (transaction) => {
      await lockWorkspace(store, transaction, workspaceId);
      const result = await write(transaction);
      if (!result.hasChanged) return result;
      await drawRevision(transaction, workspaceId);
      if (store.dialect === 'postgres') muchWritten = await findMuchWritten(transaction);
      return result;
    });
    await analyze(store.writer, muchWritten);
    return written;
  } catch (error) {
    throw store.mapFailure(error);
  }
}

/** On SQLite the transaction is the only writer already. */
async function lockWorkspace(
  store: Store,
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  const found = await transaction
    .selectFrom('revisions')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .$if(store.dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  if (found === undefined) throw new CommandError('The workspace has been removed meanwhile.');
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
