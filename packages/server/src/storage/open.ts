import { CommandError } from '../problems.ts';
import { openPostgresStore } from './postgres/store.ts';
import { openSqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

export interface StoreOptions {
  /** Whether an embedded database may be created where there is none. */
  readonly mayCreate?: boolean;
  /** The store's clock, in milliseconds since 1970. Only tests give one: PostgreSQL uses its own. */
  readonly clock?: () => number;
  /** PostgreSQL connections of this process, at most. */
  readonly connectionsMax?: number;
  /** Told of PostgreSQL connections that die while idle. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * Opens the database that a URL names: `file:./overheard.db`, a path, or `postgres://...`.
 * Throws a `CommandError` that says what to do for one that is missing, foreign, damaged or newer,
 * and an `UnavailableError` for one that cannot be reached.
 */
export async function openStore(
  url: string,
  { mayCreate = false, clock, connectionsMax = 20, onIdleError }: StoreOptions = {},
): Promise<Store> {
  if (isPostgresUrl(url)) {
    return openPostgresStore(url, {
      clock,
      connectionsMax,
      ...(onIdleError !== undefined && { onIdleError }),
    });
  }
  return openSqliteStore(sqlitePath(url), { mayCreate, clock: clock ?? Date.now });
}

/** Whether a URL names a PostgreSQL database. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** The file that a URL of the embedded database names. */
export function sqlitePath(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return url;
  if (scheme !== 'file') {
    throw new CommandError(
      `A database is file:./overheard.db or postgres://user@host/name; "${scheme}:" is neither.`,
      { exitCode: 2 },
    );
  }
  return decodeURIComponent(url.slice('file:'.length).replace(/^\/\/(?=\/)/, ''));
}
