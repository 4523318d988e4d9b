import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseFiles } from './files.ts';

/** Behind the names of an older pair while another takes its place. */
const replacedSuffix = '.replaced';

/** A database and what SQLite has beside it; the log belongs to its file and moves with it. */
const suffixes = ['-wal', '-shm', '-journal', ''] as const;

/**
 * Puts two complete and synced files in the place of an older pair, step by step: whoever stops
 * between two of them leaves the older pair or the new one, each file under its name or with
 * `.replaced` behind it, and never one file of each under the names. Done again, it ends well.
 */
export function* replaceSteps(drafts: DatabaseFiles, to: DatabaseFiles): Generator<void> {
  const older = replacedFiles(to);
  // Both under their names are a pair: what else there is has been left behind.
  if (existsSync(to.data) && existsSync(to.access)) yield removeBoth(older);
  // With the older keys put aside already, these are new ones whose data never followed.
  if (existsSync(older.access)) yield removeFile(to.access);
  else yield moveFile(to.access, older.access);
  yield moveFile(to.data, older.data);
  yield syncFolder(to);
  yield renameSync(drafts.access, to.access);
  yield renameSync(drafts.data, to.data);
  yield syncFolder(to);
  yield removeBoth(older);
}

/** The files of an older pair that a replacement has left under other names: none, one or both. */
export function leftBehind(files: DatabaseFiles): string[] {
  const { data, access } = replacedFiles(files);
  return [data, access].filter((path) => existsSync(path));
}

/** Removes a file of SQLite with what is beside it. */
export function removeFile(path: string): void {
  for (const suffix of suffixes) rmSync(path + suffix, { force: true });
}

/** Has a file, or the entries of a folder, on the disk. */
export function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function replacedFiles({ data, access }: DatabaseFiles): DatabaseFiles {
  return { data: data + replacedSuffix, access: access + replacedSuffix };
}

function removeBoth({ data, access }: DatabaseFiles): void {
  removeFile(data);
  removeFile(access);
}

function moveFile(from: string, to: string): void {
  if (!existsSync(from)) return removeFile(from);
  for (const suffix of suffixes) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
}

function syncFolder({ data }: DatabaseFiles): void {
  // Windows cannot open a folder.
  if (process.platform !== 'win32') sync(dirname(data));
}
