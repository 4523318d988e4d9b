import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError } from '../../problems.ts';
import type { DatabaseFiles } from './files.ts';

/**
 * Throws a `CommandError` unless this user may write both files of an existing database, and
 * their folder: a server that may not would answer, and count no request.
 */
export function refuseUnwritable({ data, access }: DatabaseFiles): void {
  if (!existsSync(data)) return;
  for (const path of [data, access, dirname(data)].filter((each) => existsSync(each))) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EROFS') {
        throw new CommandError(
          `${path} lies on a file system that is mounted read-only: no request could be counted. Mount it for writing, or name another file with --database.`,
          { cause: error },
        );
      }
      const user = process.getuid === undefined ? '' : ` (uid ${process.getuid()})`;
      throw new CommandError(
        `${path} cannot be written by this user${user}: no request could be counted. Run the server as the user that owns the database, or give it the files and their folder with chown.`,
        { cause: error },
      );
    }
  }
}
