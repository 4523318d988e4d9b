import { closeSync, mkdirSync, openSync } from 'node:fs';
import { CommandError } from '../../problems.ts';

/** Keys' hashes, answers and client addresses are for the user that serves them alone. */
const fileMode = 0o600;
const folderMode = 0o700;

/**
 * Makes an empty file that only this user may read. SQLite opens it as a new database, and gives
 * the files beside it the same mode. Throws a `CommandError` that says what to do, and names a draft
 * as what it becomes.
 */
export function makeFile(path: string, { shownAs = path } = {}): void {
  try {
    closeSync(openSync(path, 'wx', fileMode));
  } catch (error) {
    throw explained(error, `The file ${shownAs} cannot be made`);
  }
}

/** Makes a folder and those above it for this user alone, and leaves existing ones as they are. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: folderMode });
  } catch (error) {
    throw explained(error, `The folder ${path} cannot be made`);
  }
}

function explained(error: unknown, what: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code];
  if (reason === undefined) return error;
  return new CommandError(
    `${what}: ${reason}. Make its folder for the user that runs Overheard, or name another place.`,
    { cause: error },
  );
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of that name',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its path is a loop of links',
  ENOENT: 'a folder of its path is missing',
};
