import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Refusal } from '../../../refusals.ts';
import { errnoOf } from '../../../values/errno.ts';
import { readFileHead } from '../files/file-head.ts';
import { applicationId, databaseFiles } from '../files/files.ts';
import type { DatabaseFiles } from '../files/files.ts';
import { reservePath } from '../files/reserve.ts';

/** The files of a backup. */
export interface BackupFolder extends DatabaseFiles {
  /**
   * JSON with the time of the backup. A folder without this file is not a backup, and is never
   * replaced.
   */
  readonly manifest: string;
}

/** The paths of a backup's files, which do not depend on the database's name. */
export function backupFolder(folder: string): BackupFolder {
  return {
    ...databaseFiles(join(folder, 'overheard.db')),
    manifest: join(folder, 'backup.json'),
  };
}

/**
 * Throws a `Refusal` unless `target` does not exist, is an empty folder or, with `mayReplace`, is
 * an older backup.
 */
export function refuseTarget(
  from: DatabaseFiles,
  target: string,
  { mayReplace }: { mayReplace: boolean },
): void {
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (isDatabaseItself(from, target)) {
    throw new Refusal('backup_target_is_database', { target });
  }
  if (!stats.isDirectory()) {
    const isOurs = stats.isFile() && hasOurMark(target);
    throw new Refusal(isOurs ? 'backup_target_is_file' : 'backup_target_foreign', { target });
  }
  const isOlder = isBackup(target);
  // Look again if another backup has replaced the folder meanwhile.
  if (lstatSync(target, { throwIfNoEntry: false })?.ino !== stats.ino) {
    refuseTarget(from, target, { mayReplace });
    return;
  }
  if (isOlder ? mayReplace : namesIn(target).length === 0) return;
  throw new Refusal(isOlder ? 'backup_exists' : 'backup_target_foreign', { target });
}

/**
 * Whether a folder is a backup. Damaged backups and those of other versions count, because a new
 * backup may replace them.
 */
function isBackup(folder: string): boolean {
  const { manifest, ...files } = backupFolder(folder);
  // A backup that was opened as a database has a reserve as well.
  const fileNames = new Set(
    [...Object.values(files), manifest, reservePath(files)].map((path) => basename(path)),
  );
  return existsSync(manifest) && namesIn(folder).every((name) => fileNames.has(name));
}

/** The names in a folder; none if another backup has just moved it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Whether the target is one of the database's files, or a folder that contains one. */
function isDatabaseItself(from: DatabaseFiles, target: string): boolean {
  const { data, access, ledger } = backupFolder(target);
  return [target, data, access, ledger].some(
    (path) => isSameFile(path, from.data) || isSameFile(path, from.access),
  );
}

function isSameFile(left: string, right: string): boolean {
  const [one, other] = [left, right].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

function hasOurMark(path: string): boolean {
  // https://www.sqlite.org/fileformat.html#application_id
  return readFileHead(path, 72).readUInt32BE(68) === applicationId;
}
