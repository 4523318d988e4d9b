import type { Refusal } from '../../refusals.ts';
import { openSqliteStore } from '../sqlite/store.ts';
import type { Store } from '../store.ts';
import { isPostgresUrl, sqlitePath } from './database-url.ts';

export interface StoreOptions {
  /** Whether an embedded database may be created if there is none. */
  readonly mayCreate?: boolean;
  /** Called with the path of a newly created embedded database. */
  readonly onCreate?: (path: string) => void;
  /** Called once when an embedded database turns out to be damaged: then nothing is served any more. */
  readonly onDamage?: (refusal: Refusal) => void;
  /** Whether requests will be counted: an embedded database that cannot be written is refused. */
  readonly isServer?: boolean;
  /** The store's clock, in milliseconds since 1970. Only tests give one: PostgreSQL uses its own. */
  readonly clock?: () => number;
  /** PostgreSQL connections of this process, at most. */
  readonly connectionsMax?: number;
  /** SQLite's pages that the writer keeps in memory: fewer make large transactions slower. */
  readonly cacheKiB?: number | undefined;
  /** Called with the error of a lost PostgreSQL connection. */
  readonly onLost?: (error: Error) => void;
}

/**
 * Opens the database that a URL names: `file:./overheard.db`, a path, or `postgres://...`.
 * Throws a `Refusal` if it is missing, foreign, damaged or newer, or cannot be reached.
 */
export async function openStore(
  url: string,
  {
    mayCreate = false,
    onCreate = () => {},
    onDamage = () => {},
    isServer = false,
    clock,
    connectionsMax = 20,
    cacheKiB = 16_384,
    onLost,
  }: StoreOptions = {},
): Promise<Store> {
  if (await isPostgresUrl(url)) {
    // Its driver is loaded by those who need it.
    const { openPostgresStore } = await import('../postgres/store.ts');
    return openPostgresStore(url, {
      clock,
      connectionsMax,
      ...(onLost !== undefined && { onLost }),
    });
  }
  return openSqliteStore(sqlitePath(url), {
    mayCreate,
    onCreate,
    onDamage,
    isServer,
    clock: clock ?? Date.now,
    cacheKiB,
  });
}
