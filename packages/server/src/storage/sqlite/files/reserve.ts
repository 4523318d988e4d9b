import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { errnoOf } from '../../../values/errno.ts';
import type { DatabaseFiles } from './files.ts';
import { hasNoRoom } from '../failures.ts';

/** More than a small transaction needs with its log and the log's index. */
const reserveBytes = 1024 * 1024;

/**
 * Keeps some room on the disk beside the keys: a key must be revocable on a disk that is full to the
 * last byte. Where it cannot be kept, nothing else suffers.
 */
export function keepReserve(files: DatabaseFiles): void {
  const path = reservePath(files);
  try {
    // Random, because some file systems store no zeros. `wx` leaves one that is there.
    writeFileSync(path, randomBytes(reserveBytes), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errnoOf(error) === 'ENOSPC') rmSync(path, { force: true });
  }
}

/** Does some urgent work; if the disk has no room for it, does it again in the room of the reserve. */
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
