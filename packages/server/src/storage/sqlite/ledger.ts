import { realpathSync, statSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import { noteRestore } from '../ledger-home.ts';
import { schemaParts } from '../migrations/schema-parts.ts';
import type { LedgerTables } from '../schema.ts';
import type { Ledger } from '../store.ts';
import type { DatabaseFiles } from './files/files.ts';
import { joinLedger } from './files/join-files.ts';
import { openHandle } from './handle.ts';
import { createKyselyDriver, WriterDialect } from './kysely-driver.ts';
import { isThere, migrateFile } from './migrate.ts';
import type { Transaction } from 'kysely';
import { coalesce } from './coalesce.ts';

/**
 * Opens the file of the ledger, and creates or migrates it. Undefined if there is none and none may
 * be created.
 */
export async function openLedger(
  files: DatabaseFiles,
  {
    mayCreate,
    mapFailure,
    clock,
  }: { mayCreate: boolean; mapFailure: (error: unknown) => unknown; clock: () => number },
): Promise<Ledger | undefined> {
  const isNew = !isThere(files.ledger);
  if (!mayCreate && isNew) return undefined;
  // The first engine gets its ledger before it is stored, so this one takes the place of a lost one.
  const isLost = isNew && hasEngines(files);
  try {
    await migrateFile(files.ledger, schemaParts.ledger);
    joinLedger(files);
  } catch (error) {
    throw mapFailure(error);
  }
  // Every write is synced to disk, because a lost claim would be billed twice.
  const database = async () => createKyselyDriver(openHandle(files.ledger), { isWriter: true });
  const db = new Kysely<LedgerTables>({ dialect: new WriterDialect({ database }) });
  const commit = createGroupCommit(db);
  const ledger: Ledger = {
    db,
    home: async () => homeOf(files.ledger),
    write: async (work) => {
      try {
        return await commit(work);
      } catch (error) {
        throw mapFailure(error);
      }
    },
  };
  await noteRestore(ledger, { at: new Date(clock()).toISOString(), isTold: isLost });
  return ledger;
}

function hasEngines({ access }: DatabaseFiles): boolean {
  const database = openHandle(access, { isReadOnly: true });
  try {
    return database.prepare('select 1 from engines').get() !== undefined;
  } finally {
    database.close();
  }
}

/**
 * The file by its inode and by its path. A file that is moved keeps one of them; a container may see
 * another path than its host, and some file systems another inode after a restart.
 */
function homeOf(path: string): string[] {
  const real = realpathSync(path);
  return [`inode ${statSync(real, { bigint: true }).ino}`, `path ${real}`];
}

type Work<Tables, Result> = (transaction: Transaction<Tables>) => Promise<Result>;

/**
 * Makes a function that runs all waiting writes in one transaction, because every commit waits for
 * the disk. No write resolves before the commit. A write that throws undoes only its own changes,
 * as long as the database can continue.
 */
function createGroupCommit<Tables>(
  db: Kysely<Tables>,
): <Result>(work: Work<Tables, Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  const commit = coalesce(
    (works: ReadonlyArray<Work<Tables, void>>) => {
      const committed = db.transaction().execute((transaction) => runEach(works, transaction));
      last = committed.catch(() => {});
      return committed;
    },
    // Writes are collected while a transaction runs, and until the events of this turn are handled.
    (flush) => void last.then(() => setImmediate(flush)),
  );
  return async function write<Result>(work: Work<Tables, Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<Result>();
    const outcome = await commit(async (transaction) => resolve(await work(transaction)));
    if (outcome.status === 'rejected') throw outcome.reason;
    return promise;
  };
}

async function runEach<Tables>(
  works: ReadonlyArray<Work<Tables, void>>,
  transaction: Transaction<Tables>,
): Promise<PromiseSettledResult<void>[]> {
  const outcomes: PromiseSettledResult<void>[] = [];
  for (const work of works) {
    await sql`savepoint work`.execute(transaction);
    const [outcome] = await Promise.allSettled([work(transaction)]);
    if (outcome.status === 'rejected') await undo(transaction, outcome.reason);
    await sql`release work`.execute(transaction);
    outcomes.push(outcome);
  }
  return outcomes;
}

/**
 * Rolls back one write. A full disk may have ended the whole transaction, and then every caller
 * gets the error.
 */
async function undo<Tables>(transaction: Transaction<Tables>, reason: unknown): Promise<void> {
  try {
    await sql`rollback to work`.execute(transaction);
  } catch {
    throw reason;
  }
}
