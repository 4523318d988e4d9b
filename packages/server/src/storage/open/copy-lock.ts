import { DatabaseSync } from 'node:sqlite';
import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { Refusal } from '../../refusals.ts';
import { isBusy } from '../sqlite/failures.ts';
import { databaseFiles } from '../sqlite/files/files.ts';
import type { Store } from '../store.ts';
import { sqlitePath } from './database-url.ts';

/** The key of PostgreSQL's advisory lock: any number that nothing else uses. */
const advisoryKey = 7_361_124_905;

/**
 * Does the work while no other process copies into the database. The lock ends with the process,
 * however that ends. Throws a `Refusal` if another one has it.
 */
export function withCopyLock<Result>(
  target: Pick<Store, 'dialect' | 'writer'>,
  url: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return target.dialect === 'postgres' ? withAdvisoryLock(target, work) : withLockFile(url, work);
}

/** On a connection of its own, because the lock belongs to the session. */
function withAdvisoryLock<Result>(
  { writer }: Pick<Store, 'writer'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return writer.connection().execute(async (session) => {
    const locking = sql<{ has: boolean }>`select pg_try_advisory_lock(${advisoryKey}) as has`;
    const { rows } = await locking.execute(session);
    if (rows[0]?.has !== true) throw new Refusal('copy_under_way', {});
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${advisoryKey})`.execute(session);
    }
  });
}

/** A transaction in a file beside the database, which SQLite locks for this process. */
async function withLockFile<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const path = `${databaseFiles(sqlitePath(url)).data}.copying`;
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    begin(lock);
    const result = await work();
    rmSync(path, { force: true });
    return result;
  } finally {
    lock.close();
  }
}

function begin(lock: DatabaseSync): void {
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    throw isBusy(error) ? new Refusal('copy_under_way', {}, { cause: error }) : error;
  }
}
