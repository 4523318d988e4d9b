import { lstatSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../../problems.ts';
import { isBusy } from './failures.ts';

/** Behind the name of a backup while it is made. */
const lockSuffix = '.being-made';

/**
 * Takes a backup's name until the returned function is called: of two that replace the same pair at
 * once, each would put some of its files there. It is SQLite's lock of an empty file, which the
 * system gives up with the process, however that ends. Throws a `CommandError` where it is taken, or
 * where something else has the name of that file.
 */
export function lockBackup(target: string): () => void {
  const path = target + lockSuffix;
  // Made before it is opened to be locked, so that one made later can be told from it, and held open
  // until then: the system gives the number of a removed file to the next one.
  const held = new DatabaseSync(path);
  try {
    const file = openLocked(path, target);
    return () => unlock(file, path);
  } finally {
    held.close();
  }
}

function openLocked(path: string, target: string): DatabaseSync {
  const made = numberOf(path);
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    // A journal would be left beside it; nothing is written that it could save.
    file.exec('pragma journal_mode = memory; begin exclusive');
    // The one before may have removed it between our opening it and locking it: then the lock holds
    // off nobody, and others may have a new file of that name.
    if (made === undefined || numberOf(path) !== made) throw takenName(target);
    return file;
  } catch (error) {
    file.close();
    throw isBusy(error) ? takenName(target) : error;
  }
}

function unlock(file: DatabaseSync, path: string): void {
  try {
    // While it is locked: who opens it from now on makes another.
    rmSync(path, { force: true });
  } catch {
    // Windows removes no open file: it stays, empty and free.
  } finally {
    file.close();
  }
}

/** The file's number on its disk, or undefined where it is gone; throws where it is not a lock. */
function numberOf(path: string): bigint | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found !== undefined && (!found.isFile() || found.size > 0n)) {
    // At the end it would be removed.
    throw new CommandError(
      `${path} is in the way and not of a backup: no backup was written. Move it, or name another file.`,
    );
  }
  return found?.ino;
}

function takenName(target: string): CommandError {
  return new CommandError(
    `Another backup to ${target} is being made just now: no backup was written. Wait for its end, or name another file.`,
  );
}
