import { stateOf } from '../sqlite/backup/before-upgrade.ts';
import { refuseUnwritable } from '../sqlite/files/check.ts';
import { databaseFiles } from '../sqlite/files/files.ts';
import { openSqliteStore } from '../sqlite/store.ts';
import type { Store, StoreOptions } from '../store.ts';
import { isPostgresUrl, sqlitePath } from './database-url.ts';

/**
 * Opens the database that a URL names: `file:./overheard.db`, a path, or `postgres://...`. Throws a
 * `Refusal` if the database is missing, damaged, not ours, of a newer version, or unreachable.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  if (!(await isPostgresUrl(url))) {
    return openSqliteStore(sqlitePath(url), { ...options, clock: options.clock ?? Date.now });
  }
  // Load the driver only if it is needed.
  const { openPostgresStore } = await import('../postgres/store.ts');
  return openPostgresStore(url, options);
}

/**
 * Whether opening a server's embedded database will migrate it, which may block its thread for
 * minutes. Throws a `Refusal` for files that a server cannot use.
 */
export async function isMigrationDue(url: string): Promise<boolean> {
  if (await isPostgresUrl(url)) return false;
  const files = databaseFiles(sqlitePath(url));
  refuseUnwritable(files);
  return stateOf(files) === 'older';
}
