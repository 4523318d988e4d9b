import { closeSync, mkdirSync, openSync } from 'node:fs';
import { CommandError } from '../../problems.ts';

/** Keys' hashes, answers and client addresses are for the user that serves them alone. */
const fileMode = 0o600;
const folderMode = 0o700;

/**
 * Makes an empty file that only this user may read. SQLite opens it as a new database, and gives
 * the files beside it the same mode. Throws what the system says, `EEXIST` where there is one.
 */
export function makeFile(path: string): void {
  closeSync(openSync(path, 'wx', fileMode));
}

/** Makes a folder and those above it for this user alone, and leaves existing ones as they are. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: folderMode });
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined;
    if (reason === undefined) throw error;
    throw new CommandError(
      `The folder ${path} cannot be made: ${reason}. Make it for the user that runs Overheard, or name another place with --database.`,
      { cause: error },
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a file has its name',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its path is a loop of links',
  ENOENT: 'a part of its path cannot be made',
};
