import type { Refusal } from '../../refusals.ts';
import { isOlder } from '../sqlite/backup/before-upgrade.ts';
import { refuseUnwritable } from '../sqlite/files/check.ts';
import { databaseFiles } from '../sqlite/files/files.ts';
import { openSqliteStore } from '../sqlite/store.ts';
import type { Store } from '../store.ts';
import { isPostgresUrl, sqlitePath } from './database-url.ts';

/** A step of the upgrade of an embedded database. */
export type UpgradeStep = { readonly backup: string } | { readonly migration: true };

export interface StoreOptions {
  /** Whether an embedded database may be created if there is none. */
  readonly mayCreate?: boolean;
  /** Called with the path of a newly created embedded database. */
  readonly onCreate?: (path: string) => void;
  /** Where an embedded database is backed up before it is migrated. The default is its own folder. */
  readonly upgradeFolder?: string | undefined;
  /** Called before an embedded database is backed up, and before it is migrated. */
  readonly onUpgrade?: (step: UpgradeStep) => void;
  /**
   * Called once if an embedded database is found to be damaged. Nothing is served any more after
   * that.
   */
  readonly onDamage?: (refusal: Refusal) => void;
  /**
   * Whether the store is for a server, which counts requests. An embedded database that cannot be
   * written is then refused.
   */
  readonly isServer?: boolean;
  /**
   * The store's clock, in milliseconds since 1970. Only tests give one, because PostgreSQL uses its
   * own clock.
   */
  readonly clock?: () => number;
  /** Whether the database may be a copy that was cut off, which is otherwise refused. */
  readonly mayBeUnfinished?: boolean;
  /** Most PostgreSQL connections of this process. */
  readonly connectionsMax?: number;
  /** Called with the error of a lost PostgreSQL connection. */
  readonly onLost?: (error: Error) => void;
  /** Its abort ends the opening of a PostgreSQL database, which may wait for a migration. */
  readonly signal?: AbortSignal;
}

/**
 * Opens the database that a URL names: `file:./overheard.db`, a path, or `postgres://...`. Throws a
 * `Refusal` if the database is missing, damaged, not ours, of a newer version, or unreachable.
 */
export async function openStore(
  url: string,
  {
    mayCreate = false,
    onCreate = () => {},
    upgradeFolder,
    onUpgrade = () => {},
    onDamage = () => {},
    isServer = false,
    clock,
    mayBeUnfinished = false,
    connectionsMax = 20,
    onLost,
    signal,
  }: StoreOptions = {},
): Promise<Store> {
  if (await isPostgresUrl(url)) {
    // Load the driver only if it is needed.
    const { openPostgresStore } = await import('../postgres/store.ts');
    return openPostgresStore(url, {
      clock,
      mayBeUnfinished,
      connectionsMax,
      ...(onLost !== undefined && { onLost }),
      ...(signal !== undefined && { signal }),
    });
  }
  return openSqliteStore(sqlitePath(url), {
    mayCreate,
    onCreate,
    upgradeFolder,
    onUpgrade,
    onDamage,
    isServer,
    mayBeUnfinished,
    clock: clock ?? Date.now,
  });
}

/**
 * Whether opening a server's embedded database will migrate it, which may block its thread for
 * minutes. Throws a `Refusal` for files that a server cannot use.
 */
export async function isMigrationDue(url: string): Promise<boolean> {
  if (await isPostgresUrl(url)) return false;
  const files = databaseFiles(sqlitePath(url));
  refuseUnwritable(files);
  return isOlder(files) === true;
}
