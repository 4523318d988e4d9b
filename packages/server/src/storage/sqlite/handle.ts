import { DatabaseSync } from 'node:sqlite';
import { commandWaitMs } from './kysely-driver.ts';

interface HandleOptions {
  readonly isReadOnly?: boolean;
  /**
   * Whether data is synced to disk when a statement returns. Otherwise it is synced at the next
   * checkpoint.
   */
  readonly isDurable?: boolean;
  readonly waitMs?: number;
  readonly cacheKiB?: number;
  /**
   * Number of pages in the log from which they are copied into the file. SQLite's default suits
   * small writes.
   */
  readonly checkpointPages?: number;
}

/** Opens one file, which must exist unless the caller creates it with `isReadOnly` false. */
export function openHandle(
  path: string,
  {
    isReadOnly = false,
    isDurable = true,
    waitMs = commandWaitMs,
    cacheKiB = 8192,
    checkpointPages = 1000,
  }: HandleOptions = {},
): DatabaseSync {
  const database = new DatabaseSync(path, {
    readOnly: isReadOnly,
    timeout: waitMs,
    enableForeignKeyConstraints: false,
  });
  // Detect some damage before rows are read from a page.
  database.exec('pragma cell_size_check = on');
  database.exec(`pragma cache_size = -${cacheKiB}`);
  if (isReadOnly) {
    database.exec('pragma query_only = on');
  } else {
    database.exec('pragma journal_mode = wal');
    database.exec(`pragma synchronous = ${isDurable ? 'full' : 'normal'}`);
    database.exec(`pragma wal_autocheckpoint = ${checkpointPages}`);
    // A large import leaves a large log behind. Cut it back at the next checkpoint.
    database.exec('pragma journal_size_limit = 67108864');
  }
  return database;
}

/**
 * Opens a handle for notes that may be lost if the machine crashes, because a sync per request
 * would cost too much. It never waits for another process inside SQLite, because that would block
 * the event loop.
 */
export function openNoteHandle(path: string): DatabaseSync {
  return openHandle(path, { isDurable: false, waitMs: 0 });
}
