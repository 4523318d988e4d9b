import { statSync } from 'node:fs';
import { Refusal, isRefusal } from '../refusals.ts';
import { openSqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

export interface StoreOptions {
  /** Whether an embedded database may be created where there is none. */
  readonly mayCreate?: boolean;
  /** Told the path of an embedded database that was created. */
  readonly onCreate?: (path: string) => void;
  /** Told once when an embedded database turns out to be damaged: then nothing is served any more. */
  readonly onDamage?: (error: Error) => void;
  /** Whether requests will be counted: an embedded database that cannot be written is refused. */
  readonly isServer?: boolean;
  /** The store's clock, in milliseconds since 1970. Only tests give one: PostgreSQL uses its own. */
  readonly clock?: () => number;
  /** PostgreSQL connections of this process, at most. */
  readonly connectionsMax?: number;
  /** Told of PostgreSQL connections that are lost. */
  readonly onLost?: (error: Error) => void;
}

/**
 * Opens the database that a URL names: `file:./overheard.db`, a path, or `postgres://...`.
 * Throws a `Refusal` that says what to do for one that is missing, foreign, damaged or newer,
 * and an `UnavailableError` for one that cannot be reached.
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
    // Its driver is loaded by those who need it.
    const { openPostgresStore } = await import('./postgres/store.ts');
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

/**
 * Whether a URL names a PostgreSQL database. Throws a `Refusal` for an address of one that
 * cannot be read; it does not repeat it, for there may be a password in it.
 */
export async function isPostgresUrl(url: string): Promise<boolean> {
  if (!/^postgres(ql)?:\/\//i.test(url)) return false;
  // The driver is loaded only if it is needed.
  const { readAddress } = await import('./postgres/address.ts');
  readAddress(url);
  return true;
}

/** The file that a URL of the embedded database names. */
export function sqlitePath(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return named(url);
  if (scheme !== 'file') {
    throw new Refusal('database_scheme_unknown', { scheme });
  }
  return decoded(url.slice('file:'.length).replace(/^\/\/(?=\/)/, ''));
}

function decoded(path: string): string {
  try {
    return named(decodeURIComponent(path));
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new Refusal('database_name_malformed', {}, { cause: error });
  }
}

function named(path: string): string {
  const isFolder = isDirectory(path);
  if (path !== '' && !isFolder && !path.includes('\0')) return path;
  throw isFolder
    ? new Refusal('database_is_folder', { path })
    : new Refusal('database_not_named', {});
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // Who opens it says why it cannot be reached.
    return false;
  }
}
