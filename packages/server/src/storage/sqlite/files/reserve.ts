import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { errnoOf } from '../../../values/errno.ts';
import type { DatabaseFiles } from './files.ts';
import { hasNoRoom } from '../failures.ts';

/** More than a small transaction needs with its log and the log's index. */
const reserveBytes = 1024 * 1024;

/**
 * Reserves some disk space beside the keys, so that a key can be revoked even on a full disk. A
 * failure to reserve it is ignored.
 */
export function keepReserve(files: DatabaseFiles): void {
  const path = reservePath(files);
  if (existsSync(path)) return;
  try {
    // Write random bytes, because some file systems store no zeros. `wx` leaves a reserve that
    // another process has made meanwhile.
    writeFileSync(path, randomBytes(reserveBytes), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errnoOf(error) === 'ENOSPC') rmSync(path, { force: true });
  }
}

/** Does some urgent work. If the disk is full, removes the reserve and does the work again. */
export async function withReserve<Result>(
  files: DatabaseFiles,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!hasNoRoom(error)) throw error;
    rmSync(reservePath(files), { force: true });
    return work();
  }
}

export function reservePath({ access }: DatabaseFiles): string {
  return `${access}.reserve`;
}
