import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { Refusal } from '../refusals.ts';
import { analyze, findMuchWritten, plannedByItsRows } from './postgres/statistics.ts';
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
  const { result } = await writeBetweenRevisions(store, workspaceId, write);
  return result;
}

/** The same, for a writer that remembers what it has read: `write` gets the revision before, the caller the one after. */
export async function writeBetweenRevisions<Result extends { hasChanged: boolean }>(
  store: Store,
  workspaceId: string,
  write: (transaction: Transaction<DataTables>, revision: string) => Promise<Result>,
): Promise<{ readonly result: Result; readonly revision: string }> {
  try {
    let muchWritten: readonly string[] = [];
    const written = await within(store, async (transaction) => {
      const before = await lockWorkspace(store, transaction, workspaceId);
      const result = await write(transaction, before);
      if (!result.hasChanged) return { result, revision: before };
      const revision = await drawRevision(transaction, workspaceId);
      // What is tried out is counted while it is written: nobody else will see it.
      const isSeen = !isTransaction(store.writer);
      if (isSeen && store.dialect === 'postgres') muchWritten = await findMuchWritten(transaction);
      return { result, revision };
    });
    await analyze(store.writer, muchWritten);
    return written;
  } catch (error) {
    throw store.mapFailure(error);
  }
}

/** Ends what was tried out by failing its transaction. */
class TakenBack extends Error {}

/**
 * Does something that writes any number of times, and takes all of it back: what it returns is exactly
 * what would be. Other writers wait for its end.
 */
export async function tryOut<Result>(
  store: Store,
  work: (tried: Store) => Promise<Result>,
): Promise<Result> {
  const tried = Promise.withResolvers<Result>();
  try {
    await store.writer.transaction().execute(async (transaction) => {
      const own = planned(store, transaction);
      tried.resolve(await work({ ...store, reader: own, writer: own }));
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw store.mapFailure(error);
  }
  return tried.promise;
}

/** In a transaction of its own, or in that of what is tried out. */
function within<Result>(
  store: Store,
  write: (transaction: Transaction<DataTables>) => Promise<Result>,
): Promise<Result> {
  const { writer } = store;
  if (isTransaction(writer)) return write(writer);
  return writer.transaction().execute((transaction) => write(planned(store, transaction)));
}

function planned(
  { dialect }: Store,
  transaction: Transaction<DataTables>,
): Transaction<DataTables> {
  return dialect === 'postgres' ? plannedByItsRows(transaction) : transaction;
}

function isTransaction(db: Kysely<DataTables>): db is Transaction<DataTables> {
  return db.isTransaction;
}

/** On SQLite the transaction is the only writer already. */
async function lockWorkspace(
  store: Store,
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<string> {
  const found = await transaction
    .selectFrom('revisions')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .$if(store.dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('workspace_removed', {});
  return found.revision;
}

async function drawRevision(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<string> {
  const revision = newRevision();
  await transaction
    .updateTable('revisions')
    .set({ revision })
    .where('workspace_id', '=', workspaceId)
    .execute();
  return revision;
}
