import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../refusals.ts';
import { errnoOf } from '../../../values/errno.ts';
import { schemaParts } from '../../migrations/schema-parts.ts';
import { checkFile } from '../files/check.ts';
import type { DatabaseFiles } from '../files/files.ts';
import { isJoined } from '../files/join-files.ts';
import { makeFile, makeFolder } from '../files/new-file.ts';
import { isBusy } from '../failures.ts';
import { openHandle } from '../handle.ts';
import { markAsCopy } from './backup-files.ts';
import { backupFolder } from './folder.ts';

const parts = ['access', 'data', 'ledger'] as const;
type Part = (typeof parts)[number];

/**
 * Puts the files of a backup in the place of a database that nothing uses. The files that were there
 * are moved into a new folder beside it, which is returned if there were any and can be restored itself.
 * Throws a `Refusal` if the folder is not a whole backup, or if the database is in use; nothing is changed then.
 */
export function restoreFiles(
  folder: string,
  to: DatabaseFiles,
  { keepsLedger, clock }: { keepsLedger: boolean; clock: () => number },
): { readonly replaced: string | undefined } {
  const from = backupFolder(folder);
  if (!existsSync(from.data) || !existsSync(from.access)) {
    throw new Refusal('restore_without_backup', { folder });
  }
  if (existsSync(to.data) && realpathSync(from.data) === realpathSync(to.data)) {
    throw new Refusal('backup_target_is_database', { target: folder });
  }
  const restored = parts.filter(
    (part) => existsSync(from[part]) && !(keepsLedger && part === 'ledger'),
  );
  for (const part of restored) {
    checkFile(from[part], schemaParts[part]);
    closeLog(from[part]);
  }
  isJoined(from);
  for (const part of parts) closeLog(to[part]);
  makeFolder(dirname(to.data));
  for (const part of restored) copyDraft(from[part], draftOf(to[part]));
  if (restored.includes('ledger')) markLedger(draftOf(to.ledger));
  const replaced = moveAway(to, keepsLedger ? ['access', 'data'] : parts, clock);
  for (const part of restored) renameSync(draftOf(to[part]), to[part]);
  return { replaced };
}

function draftOf(path: string): string {
  return `${path}.being-restored`;
}

/**
 * Applies the write-ahead log of a file and removes it, which SQLite does only if no other process has the
 * file open.
 */
function closeLog(path: string): void {
  if (!existsSync(path)) return;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    if (isBusy(error)) throw new Refusal('restore_in_use', { path }, { cause: error });
    // It may be damaged, which is why a backup is restored.
  } finally {
    database.close();
  }
}

/** What root restores belongs to the owner of the folder, who runs the server. */
function giveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}

/** Copies a file, and syncs it to disk. */
function copyDraft(from: string, draft: string): void {
  rmSync(draft, { force: true });
  makeFile(draft);
  try {
    copyFileSync(from, draft);
    giveToOwner(draft);
    const file = openSync(draft, 'r+');
    fsyncSync(file);
    closeSync(file);
  } catch (error) {
    rmSync(draft);
    if (errnoOf(error) !== 'ENOSPC') throw error;
    const facts = { what: 'file', path: draft, errno: 'ENOSPC' } as const;
    throw new Refusal('file_not_creatable', facts, { cause: error });
  }
}

/** The ledger of a database that was itself replaced by a restore has no mark yet. */
function markLedger(draft: string): void {
  const ledger = openHandle(draft);
  markAsCopy(ledger);
  ledger.close();
}

/** SQLite would apply the logs of the old files to the new ones, so they are moved as well. */
function moveAway(
  files: DatabaseFiles,
  moved: readonly Part[],
  clock: () => number,
): string | undefined {
  const stamp = new Date(clock()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const folder = join(dirname(files.data), `before-restore-${stamp}`);
  const to = backupFolder(folder);
  const moves = moved
    .flatMap((part) =>
      ['', '-wal', '-shm'].map((end) => [files[part] + end, to[part] + end] as const),
    )
    .filter(([path]) => existsSync(path));
  if (moves.length === 0) return undefined;
  makeFolder(folder);
  giveToOwner(folder);
  for (const [path, target] of moves) renameSync(path, target);
  return folder;
}
