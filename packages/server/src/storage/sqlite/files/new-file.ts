import { closeSync, mkdirSync, openSync } from 'node:fs';
import { Refusal } from '../../../refusals.ts';
import type { RefusalFacts } from '../../../refusals.ts';
import { errnoOf } from '../../../values/errno.ts';

/** Only the user that runs the server may read hashes of keys, answers and client addresses. */
const fileMode = 0o600;
const folderMode = 0o700;

/**
 * Makes an empty file that only this user may read. SQLite opens it as a new database, and gives
 * the files beside it the same mode. A `Refusal` about a draft shows the final name.
 */
export function makeFile(path: string, { shownAs = path } = {}): void {
  try {
    closeSync(openSync(path, 'wx', fileMode));
  } catch (error) {
    throw explainFailure(error, 'file', shownAs);
  }
}

/** Makes a folder and its parents for this user only. Leaves existing folders as they are. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: folderMode });
  } catch (error) {
    throw explainFailure(error, 'folder', path);
  }
}

function explainFailure(error: unknown, what: 'file' | 'folder', path: string): unknown {
  const errno = errnos.find((code) => code === errnoOf(error));
  if (errno === undefined) return error;
  return new Refusal('file_not_creatable', { what, path, errno }, { cause: error });
}

const errnos: ReadonlyArray<RefusalFacts['file_not_creatable']['errno']> = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'ENOTDIR',
  'EEXIST',
  'ENAMETOOLONG',
  'ELOOP',
  'ENOENT',
];
