import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '../../../values/errno.ts';

/**
 * Folders beside a backup `TARGET`. `TARGET.<uuid>.being-made` is an unfinished backup, and
 * `TARGET.<uuid>.replaced` is the older one until the new one has its name.
 */
const draftName =
  /^(?<target>.+)\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?<kind>being-made|replaced)$/;

/** No backup takes this long, so an older draft was left by a killed backup. */
const draftAgeMaxMs = 24 * 60 * 60 * 1000;

/** Makes a draft folder beside `target`. */
export function openDraft(target: string) {
  const folder = `${target}.${randomUUID()}.being-made`;
  mkdirSync(folder, { mode: 0o700 });
  return {
    folder,
    /**
     * Renames the draft to the target, so that nobody sees half a backup. Calls `refuse` before it
     * replaces an older backup, and `refuse` throws if that must stay.
     */
    publish: (refuse: () => void) => publish(folder, target, refuse),
    /** Removes the rest of the draft. */
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Removes the drafts that killed backups left in a folder, once they are a day old. */
export function clearDrafts(folder: string, clock: () => number): void {
  for (const name of readdirSync(folder)) {
    if (draftName.exec(name)?.groups?.['kind'] !== 'being-made') continue;
    const path = join(folder, name);
    const madeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (madeMs < clock() - draftAgeMaxMs) removeIfAllowed(path);
  }
}

/** Whether a name is that of a draft, or of a backup that is being replaced. */
export function isDraft(name: string): boolean {
  return draftName.test(name);
}

function publish(draft: string, target: string, refuse: () => void): void {
  for (const name of readdirSync(draft)) sync(join(draft, name));
  syncFolder(draft);
  // Another process may publish to the same name at any point here. The last one wins.
  while (!hasRenamed(draft, target, ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM'])) {
    refuse();
    hasRenamed(target, `${target}.${randomUUID()}.replaced`, ['ENOENT']);
  }
  const parent = dirname(target);
  syncFolder(parent);
  for (const name of readdirSync(parent)) {
    const parts = draftName.exec(name)?.groups;
    const isReplaced = parts?.['kind'] === 'replaced' && parts['target'] === basename(target);
    if (isReplaced) removeIfAllowed(join(parent, name));
  }
}

function removeIfAllowed(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The draft belongs to another user, or another process is removing it. The backup does not
    // need it gone.
  }
}

/** Renames, or returns false if the system gives one of the expected reasons not to. */
function hasRenamed(from: string, to: string, expected: readonly string[]): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (expected.includes(errnoOf(error))) return false;
    throw error;
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
