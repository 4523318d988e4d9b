import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Refusal, isRefusal } from '../../../refusals.ts';
import { errnoOf } from '../../../values/errno.ts';
import { requireVersion } from '../../migrations/migration.ts';
import type { SchemaPart } from '../../migrations/migration.ts';
import { isCorrupt } from '../failures.ts';
import { applicationId } from './files.ts';
import type { DatabaseFiles } from './files.ts';
import { readFileHead } from './file-head.ts';
import { openHandle } from '../handle.ts';

/**
 * Reads the header of one of our files. Refuses a file that is empty, not ours, damaged, truncated
 * or of a version that cannot be used. Changes nothing.
 */
export function checkFile(path: string, part: SchemaPart): { readonly version: number } {
  refuseWithoutHeader(path);
  const database = openForCheck(path);
  try {
    if (pragma(database, 'application_id') !== applicationId) {
      throw new Refusal('database_foreign', { path });
    }
    const version = pragma(database, 'user_version');
    requireVersion(part, version, path);
    refuseTruncated(path, database);
    return { version };
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw damageRefusal(path, error);
  } finally {
    database.close();
  }
}

function refuseWithoutHeader(path: string): void {
  if (statSync(path).size === 0) {
    throw new Refusal('database_empty', { path });
  }
  if (headOf(path).toString('latin1') !== 'SQLite format 3\0') {
    throw new Refusal('database_not_ours', { path });
  }
}

function headOf(path: string): Buffer {
  try {
    return readFileHead(path, 16);
  } catch (error) {
    throw new Refusal('database_unreadable', { path }, { cause: error });
  }
}

function openForCheck(path: string): DatabaseSync {
  try {
    return openHandle(path, { isReadOnly: true });
  } catch (error) {
    if (isCorrupt(error)) throw damageRefusal(path, error);
    throw new Refusal('database_unreadable', { path }, { cause: error });
  }
}

function refuseTruncated(path: string, database: DatabaseSync): void {
  // A file with a log may be older than its log, which SQLite corrects itself.
  const log = `${path}-wal`;
  if (existsSync(log) && statSync(log).size > 0) return;
  const expected = pragma(database, 'page_count') * pragma(database, 'page_size');
  if (statSync(path).size < expected) throw damageRefusal(path, undefined);
}

function damageRefusal(path: string, cause: unknown): Refusal {
  return new Refusal('database_damaged', { path }, { cause });
}

function pragma(
  database: DatabaseSync,
  name: 'application_id' | 'user_version' | 'page_count' | 'page_size',
): number {
  return Number(database.prepare(`pragma ${name}`).get()?.[name]);
}

/**
 * Throws a `Refusal` unless this user may write both files of an existing database, and their folder:
 * otherwise a server would respond without counting requests.
 */
export function refuseUnwritable({ data, access }: DatabaseFiles): void {
  if (!existsSync(data)) return;
  for (const path of [data, access, dirname(data)].filter((each) => existsSync(each))) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      const uid = process.getuid?.();
      const isReadOnlyDisk = errnoOf(error) === 'EROFS';
      throw new Refusal('database_not_writable', { path, uid, isReadOnlyDisk }, { cause: error });
    }
  }
}
