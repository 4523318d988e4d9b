import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A backup while it is made: `TARGET.<uuid>.being-made`, beside its target. */
const draftName = /^(.+)\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.being-made$/;

/** Where a draft keeps the backup that it replaces, until the new one has its name. */
const replaced = 'replaced';

export interface BackupDraft {
  /** The folder that becomes the backup. */
  readonly copy: string;
  /**
   * Gives the copy the target's name with one rename, so that nobody sees half a backup. Asks
   * `mayReplace` about a backup that has the name, and that throws where it must stay.
   */
  publish(mayReplace: () => void): void;
  /** Removes what is left of the draft. */
  close(): void;
}

/** Makes a draft folder beside `target`. Other processes leave it alone while this one lives. */
export function openDraft(target: string): BackupDraft {
  for (;;) {
    const folder = `${target}.${randomUUID()}.being-made`;
    mkdirSync(folder, { mode: 0o700 });
    const lock = lockDraft(folder);
    // Without a lock, another process has just taken the empty folder for one of a killed backup.
    if (lock === undefined) continue;
    const copy = join(folder, 'copy');
    mkdirSync(copy, { mode: 0o700 });
    return {
      copy,
      publish: (mayReplace) => publish({ copy, target, aside: join(folder, replaced), mayReplace }),
      close: () => removeDraft(folder, lock),
    };
  }
}

/**
 * Removes the drafts that killed backups left in a folder. A backup that one of them had put aside
 * gets its name back, if nothing has taken it.
 */
export function clearDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const target = draftName.exec(name)?.[1];
    if (target !== undefined) clearDraft(join(folder, name), join(folder, target));
  }
}

/** Whether a name is that of a draft. */
export function isDraft(path: string): boolean {
  return draftName.test(basename(path));
}

function clearDraft(draft: string, target: string): void {
  try {
    const lock = lockDraft(draft);
    if (lock === undefined) return;
    const aside = join(draft, replaced);
    if (existsSync(aside) && !existsSync(target)) renameSync(aside, target);
    removeDraft(draft, lock);
  } catch {
    // It is another user's, or is being removed by another process: the backup does not need it.
  }
}

function publish({
  copy,
  target,
  aside,
  mayReplace,
}: {
  copy: string;
  target: string;
  aside: string;
  mayReplace: () => void;
}): void {
  for (const name of readdirSync(copy)) sync(join(copy, name));
  syncFolder(copy);
  // Another process may publish to the same name between two of these lines: the last one wins.
  while (!hasRenamed(copy, target, ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM'])) {
    mayReplace();
    rmSync(aside, { recursive: true, force: true });
    hasRenamed(target, aside, ['ENOENT']);
  }
  syncFolder(dirname(target));
}

/** Renames, or returns false where the system gives one of the expected reasons not to. */
function hasRenamed(from: string, to: string, expected: readonly string[]): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && expected.includes(String(error.code))) {
      return false;
    }
    throw error;
  }
}

/**
 * Takes SQLite's lock of an empty file in the draft: the system releases it with the process,
 * however that ends. Undefined where a living process has it or the folder is gone.
 */
function lockDraft(draft: string): DatabaseSync | undefined {
  const path = join(draft, 'lock');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('pragma journal_mode = memory; begin exclusive');
    // A process that cleans up may have removed the file before it was locked here.
    if (existsSync(path)) return lock;
  } catch {
    // Locked by another, or removed.
  }
  lock?.close();
  return undefined;
}

function removeDraft(draft: string, lock: DatabaseSync): void {
  try {
    // While it is locked, so that no other process cleans up at the same time.
    rmSync(draft, { recursive: true, force: true });
  } finally {
    lock.close();
    // Windows removes no open file: the lock goes now.
    rmSync(draft, { recursive: true, force: true });
  }
}

function syncFolder(folder: string): void {
  // Windows cannot open a folder.
  if (process.platform !== 'win32') sync(folder);
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
