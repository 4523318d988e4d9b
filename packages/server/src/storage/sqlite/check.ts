import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../../problems.ts';
import { isCorrupt } from './failures.ts';
import { applicationId } from './files.ts';
import { readHead } from './file-head.ts';
import { openHandle } from './handle.ts';

/** What the header of a database file says. */
export interface FileState {
  readonly version: number;
}

/**
 * Reads the header of a file of ours. Refuses, with a sentence that says what to do, a file that is
 * empty, foreign, damaged, truncated or of a newer schema. Nothing is changed.
 */
export function checkFile(path: string, latestVersion: number): FileState {
  refuseWithoutHeader(path);
  const database = openForCheck(path);
  try {
    if (pragma(database, 'application_id') !== applicationId) {
      throw new CommandError(
        `${path} is a SQLite database of another program. Name another file with --database.`,
      );
    }
    const version = pragma(database, 'user_version');
    if (version > latestVersion) {
      throw new CommandError(
        `${path} was written by a newer version of Overheard (schema ${version}; this one knows ${latestVersion}). Install that version, or restore a backup.`,
      );
    }
    refuseTruncated(path, database);
    return { version };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw damaged(path, error);
  } finally {
    database.close();
  }
}

function refuseWithoutHeader(path: string): void {
  if (statSync(path).size === 0) {
    throw new CommandError(
      `${path} is empty: it was truncated, or is no database. Restore a backup, or remove the file to start anew.`,
    );
  }
  if (headOf(path).toString('latin1') !== 'SQLite format 3\0') {
    throw new CommandError(
      `${path} is not a database of Overheard, or is damaged. Restore a backup, or name another file with --database.`,
    );
  }
}

function headOf(path: string): Buffer {
  try {
    return readHead(path, 16);
  } catch (error) {
    throw new CommandError(
      `${path} cannot be read. Check its permissions, and that it is a file.`,
      { cause: error },
    );
  }
}

function openForCheck(path: string): DatabaseSync {
  try {
    return openHandle(path, { isReadOnly: true });
  } catch (error) {
    if (isCorrupt(error)) throw damaged(path, error);
    throw new CommandError(
      `${path} cannot be opened. Check its permissions, those of its folder, and that the disk is not full.`,
      {
        cause: error,
      },
    );
  }
}

function refuseTruncated(path: string, database: DatabaseSync): void {
  // With a log beside it the file may lag behind: SQLite mends that itself.
  const log = `${path}-wal`;
  if (existsSync(log) && statSync(log).size > 0) return;
  const expected = pragma(database, 'page_count') * pragma(database, 'page_size');
  if (statSync(path).size < expected) throw damaged(path, undefined);
}

function damaged(path: string, cause: unknown): CommandError {
  return new CommandError(
    `${path} is damaged or truncated. Restore a backup; nothing was changed.`,
    { cause },
  );
}

function pragma(
  database: DatabaseSync,
  name: 'application_id' | 'user_version' | 'page_count' | 'page_size',
): number {
  return Number(database.prepare(`pragma ${name}`).get()?.[name]);
}
