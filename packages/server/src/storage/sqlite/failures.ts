import { Refusal } from '../../refusals.ts';

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

const refusalCodes = new Map<number, UnavailableCode>([
  [codes.busy, 'database_busy'],
  [codes.locked, 'database_busy'],
  [codes.readOnly, 'database_write_denied'],
  [codes.ioError, 'database_disk_failed'],
  [codes.full, 'database_disk_full'],
  [codes.cannotOpen, 'database_file_closed'],
  [codes.corrupt, 'database_damage_found'],
  [codes.notADatabase, 'database_damage_found'],
]);

type UnavailableCode =
  | 'database_busy'
  | 'database_write_denied'
  | 'database_disk_failed'
  | 'database_disk_full'
  | 'database_file_closed'
  | 'database_damage_found';

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
 * Whether an error or its cause may come from a full disk. If there is no room for a log's index,
 * SQLite reports a failure to write or to open.
 */
export function hasNoRoom(error: unknown): boolean {
  const code = primaryCode(error);
  if (code === codes.full || code === codes.ioError || code === codes.cannotOpen) return true;
  return error instanceof Error && error.cause !== undefined && hasNoRoom(error.cause);
}

/**
 * Turns SQLite's errors about load, space, access and damage into a `Refusal`. Returns any other
 * error unchanged.
 */
export function mapSqliteFailure(error: unknown): unknown {
  const code = refusalCodes.get(primaryCode(error) ?? -1);
  return code === undefined ? error : new Refusal(code, {}, { cause: error });
}

function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  // The primary code is in the lower eight bits. The rest is the extended code.
  return Number(error.errcode) & 0xff;
}
