import type { Refusal } from '../../refusals.ts';
import { openSqliteStore } from '../sqlite/store.ts';
import type { Store } from '../store.ts';
import { isPostgresUrl, sqlitePath } from './database-url.ts';

export interface StoreOptions {
  /** Whether an embedded database may be created if there is none. */
  readonly mayCreate?: boolean;
  /** Called with the path of a newly created embedded database. */
  readonly onCreate?: (path: string) => void;
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
  /** Most PostgreSQL connections of this process. */
  readonly connectionsMax?: number;
  /** Called with the error of a lost PostgreSQL connection. */
  readonly onLost?: (error: Error) => void;
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
    onDamage = () => {},
    isServer = false,
    clock,
    connectionsMax = 20,
    onLost,
  }: StoreOptions = {},
): Promise<Store> {
  if (await isPostgresUrl(url)) {
    // Load the driver only if it is needed.
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
  });
}
