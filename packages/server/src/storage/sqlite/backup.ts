import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup } from 'node:sqlite';
import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../../problems.ts';
import { accessMigrations, dataMigrations } from '../migrations/all.ts';
import { lockBackup } from './backup-lock.ts';
import { checkFile } from './check.ts';
import { readHead } from './file-head.ts';
import { applicationId } from './files.ts';
import type { DatabaseFiles } from './files.ts';
import { openHandle } from './handle.ts';
import { refuseMissing } from './migrate.ts';
import { leftBehind, removeFile, replaceSteps, sync } from './replace-pair.ts';

/** Pages that are copied between two looks at the signal: 4 MiB of pages of 4 KiB. */
const pagesPerStep = 1024;

interface BackupOptions {
  /** Whether an older backup may be replaced. */
  readonly mayReplace?: boolean;
  /** Stops it; nothing is left behind. */
  readonly signal?: AbortSignal;
  /** Told the share that is copied, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Copies both files of a database that may be in use, and checks the copies. The data is that of
 * one moment. The keys are those of a moment just after it, so that a revocation is never older
 * than the data; keys of workspaces that the data does not have are left out.
 * Throws a `CommandError` where the source is missing or damaged, the target exists, cannot be
 * written or is being made by another process, a copy fails its check, or the signal aborts.
 */
export async function backupFiles(
  from: DatabaseFiles,
  to: DatabaseFiles,
  { mayReplace = false, signal, onProgress = () => {} }: BackupOptions = {},
): Promise<{ readonly bytes: number }> {
  refuseMissing(from, { mayCreate: false });
  checkFile(from.data, dataMigrations.length);
  checkFile(from.access, accessMigrations.length);
  refuseFolder(dirname(to.data));
  const unlock = lockBackup(to.data);
  const suffix = `.${randomUUID()}.new`;
  const drafts: DatabaseFiles = { data: to.data + suffix, access: to.access + suffix };
  try {
    refuseTarget(from, to, mayReplace);
    await copy(from, drafts, { signal, onProgress });
    refuseStopped(signal);
    dropOrphans(drafts);
    for (const draft of [drafts.data, drafts.access]) seal(draft);
    for (const _step of replaceSteps(drafts, to));
    return { bytes: statSync(to.data).size + statSync(to.access).size };
  } finally {
    for (const draft of [drafts.data, drafts.access]) removeFile(draft);
    unlock();
  }
}

async function copy(
  from: DatabaseFiles,
  to: DatabaseFiles,
  { signal, onProgress }: { signal: AbortSignal | undefined; onProgress: (share: number) => void },
): Promise<void> {
  const data = openHandle(from.data, { isReadOnly: true });
  const access = openHandle(from.access, { isReadOnly: true });
  try {
    // Within a read transaction SQLite copies its snapshot; outside of one it would begin anew
    // whenever another process writes, and never end during an import.
    beginSnapshot(data);
    beginSnapshot(access);
    const progress = ({ totalPages, remainingPages }: Progress): void => {
      refuseStopped(signal);
      onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages);
    };
    await backup(access, to.access, { rate: pagesPerStep });
    await backup(data, to.data, { rate: pagesPerStep, progress });
  } finally {
    data.close();
    access.close();
  }
}

function refuseStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CommandError('Stopped: no backup was written.');
}

interface Progress {
  readonly totalPages: number;
  readonly remainingPages: number;
}

function beginSnapshot(database: DatabaseSync): void {
  database.exec('begin');
  // It is the first read that takes the snapshot.
  database.prepare('select count(*) from sqlite_schema').get();
}

/** Takes the keys and counters out whose workspace was made or removed between the two snapshots. */
function dropOrphans(drafts: DatabaseFiles): void {
  const access = openHandle(drafts.access);
  try {
    access.prepare('attach database ? as data').run(drafts.data);
    for (const table of ['keys', 'quota_log']) {
      access.exec(
        `delete from ${table} where workspace_id not in (select id from data.workspaces)`,
      );
    }
  } finally {
    access.close();
  }
}

/** Makes a copy one file without a log beside it, checks it and has it on disk. */
function seal(path: string): void {
  const database = openHandle(path);
  try {
    database.exec('pragma journal_mode = delete');
    const result = database.prepare('pragma integrity_check').get()?.['integrity_check'];
    if (result !== 'ok') {
      throw new CommandError(
        'The copy failed its integrity check: the database or a disk is damaged. Run `overheard doctor`. No backup was written.',
      );
    }
  } finally {
    database.close();
  }
  sync(path);
}

function refuseFolder(folder: string): void {
  if (!existsSync(folder)) {
    throw new CommandError(`There is no folder ${folder}. Make it, or name another.`);
  }
  if (!mayWrite(folder)) {
    throw new CommandError(`${folder} cannot be written. Check its permissions.`);
  }
}

function refuseTarget(from: DatabaseFiles, to: DatabaseFiles, mayReplace: boolean): void {
  const present = [to.data, to.access].filter((target) => existsSync(target));
  for (const path of [...present, ...leftBehind(to)]) {
    if ([from.data, from.access].some((source) => isSameFile(source, path))) {
      throw new CommandError(`${path} is the database itself. Name another file.`, {
        exitCode: 2,
      });
    }
    if (!mayReplace) {
      throw new CommandError(
        `${path} is there already. Name another file, or replace it with --force.`,
      );
    }
    refuseForeign(path);
  }
}

/** --force replaces an older backup; whatever else has the name stays. */
function refuseForeign(path: string): void {
  try {
    if (lstatSync(path).isFile() && hasOurMark(path)) return;
  } catch (error) {
    throw new CommandError(notABackup(path), { cause: error });
  }
  throw new CommandError(notABackup(path));
}

function notABackup(path: string): string {
  return `${path} is no backup of Overheard: it was not replaced. Name another file.`;
}

/** Also of a damaged copy, or one of another version: of those, too, a new one may take the place. */
function hasOurMark(path: string): boolean {
  // https://www.sqlite.org/fileformat.html#application_id
  return readHead(path, 72).readUInt32BE(68) === applicationId;
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isSameFile(left: string, right: string): boolean {
  const [one, other] = [statSync(left), statSync(right)];
  return one.ino === other.ino && one.dev === other.dev;
}
