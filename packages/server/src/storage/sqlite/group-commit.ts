import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { coalesce } from './coalesce.ts';

type Work<Tables, Result> = (transaction: Transaction<Tables>) => Promise<Result>;

/**
 * Makes a function that runs all waiting writes in one transaction, because every commit waits for
 * the disk. No write resolves before the commit. A write that throws undoes only its own changes,
 * as long as the database can continue.
 */
export function createGroupCommit<Tables>(
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
