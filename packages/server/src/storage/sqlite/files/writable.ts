import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from '../../../refusals.ts';
import { errnoOf } from '../../../values/errno.ts';
import type { DatabaseFiles } from './files.ts';

/**
 * Throws a `Refusal` unless this user may write both files of an existing database, and
 * their folder: a server that may not would answer, and count no request.
 */
export function refuseUnwritable({ data, access }: DatabaseFiles): void {
  if (!existsSync(data)) return;
  for (const path of [data, access, dirname(data)].filter((each) => existsSync(each))) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      const uid = process.getuid?.();
      const isReadOnlyDisk = errnoOf(error) === 'EROFS';
      throw new Refusal('database_not_writable', { path, uid, isReadOnlyDisk }, { cause: error });
    }
  }
}
