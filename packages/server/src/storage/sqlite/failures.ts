import { UnavailableError } from '../../problems.ts';

/** SQLite's primary result codes, https://www.sqlite.org/rescode.html */
const codes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

const unavailable = new Map<number, string>([
  [codes.busy, 'The database is busy: another process is writing to it.'],
  [codes.locked, 'The database is busy: another statement is writing to it.'],
  [
    codes.readOnly,
    'The database cannot be written: check its permissions and those of its folder.',
  ],
  [codes.ioError, 'The database could not be read or written: the disk reported an error.'],
  [codes.full, 'The disk is full: nothing was written.'],
  [codes.cannotOpen, 'The database file cannot be opened.'],
  [codes.corrupt, 'The database is damaged. Run `overheard doctor` and restore a backup.'],
  [codes.notADatabase, 'The database is damaged. Run `overheard doctor` and restore a backup.'],
]);

/** Whether another connection holds the lock that a statement needed. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === codes.busy;
}

/** Whether the file is damaged, or no database at all. */
export function isCorrupt(error: unknown): boolean {
  const code = primaryCode(error);
  return code === codes.corrupt || code === codes.notADatabase;
}

/**
 * Whether an error, or what caused it, may come from a full disk. SQLite reports room that is missing
 * for a log's index as a failure to write or to open.
 */
export function hasNoRoom(error: unknown): boolean {
  const code = primaryCode(error);
  if (code === codes.full || code === codes.ioError || code === codes.cannotOpen) return true;
  return error instanceof Error && error.cause !== undefined && hasNoRoom(error.cause);
}

/** Turns SQLite's errors of load, space, reach and damage into `UnavailableError`; leaves every other as it is. */
export function mapSqliteFailure(error: unknown): unknown {
  const message = unavailable.get(primaryCode(error) ?? -1);
  return message === undefined ? error : new UnavailableError(message, { cause: error });
}

function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  // The lower eight bits; the rest says which kind of it.
  return Number(error.errcode) & 0xff;
}
