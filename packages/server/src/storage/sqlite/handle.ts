import { DatabaseSync } from 'node:sqlite';

/** How long a statement of a command waits for another process's transaction. It blocks: a server waits less. */
export const commandWaitMs = 120_000;

interface HandleOptions {
  readonly isReadOnly?: boolean;
  /** Synced to disk when a statement returns; otherwise at the next checkpoint. */
  readonly isDurable?: boolean;
  readonly waitMs?: number;
  readonly cacheKiB?: number;
  /** Pages in the log past which they are copied into the file. SQLite's own choice is for small writes. */
  readonly checkpointPages?: number;
}

/** Opens one file. It must exist unless `isReadOnly` is false and the caller means to create it. */
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
  // Finds some damage before rows are read out of a page.
  database.exec('pragma cell_size_check = on');
  database.exec(`pragma cache_size = -${cacheKiB}`);
  if (isReadOnly) {
    database.exec('pragma query_only = on');
  } else {
    database.exec('pragma journal_mode = wal');
    database.exec(`pragma synchronous = ${isDurable ? 'full' : 'normal'}`);
    database.exec(`pragma wal_autocheckpoint = ${checkpointPages}`);
    // A large import leaves a large log behind; it is cut back at the next checkpoint.
    database.exec('pragma journal_size_limit = 67108864');
  }
  return database;
}

/**
 * For what may be lost in a crash of the machine: it is not worth a sync per request. It never waits
 * for another process inside SQLite, because that would stop the event loop.
 */
export function openNoteHandle(path: string): DatabaseSync {
  return openHandle(path, { isDurable: false, waitMs: 0 });
}
