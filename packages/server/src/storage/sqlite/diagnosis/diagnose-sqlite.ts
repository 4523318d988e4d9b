import { constants, accessSync, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isRefusal } from '../../../refusals.ts';
import { ok, problem, refusalProblem, warning } from '../../finding.ts';
import type { Finding } from '../../finding.ts';
import { checkSchemaVersion } from '../../migrations/check-schema-version.ts';
import { schemaParts } from '../../migrations/schema-parts.ts';
import { isDraft } from '../backup/draft.ts';
import { checkFile } from '../files/check.ts';
import type { DatabaseFiles } from '../files/files.ts';
import { checkCounters } from './check-counters.ts';
import { checkPrivacy } from './check-privacy.ts';
import { openHandle } from '../handle.ts';
import { isJoined } from '../files/join-files.ts';
import { isThere } from '../migrate.ts';

const mebibyte = 1024 * 1024;
/**
 * Less free space than this is a problem, or a warning, because an import needs twice its size for
 * a while.
 */
const freeProblem = 64 * mebibyte;
const freeWarning = 1024 * mebibyte;
/** A log of this size cannot be merged, because a reader still uses an old snapshot. */
const logWarning = 1024 * mebibyte;
/** How far the newest entry may be ahead of this machine's clock before it is reported. */
const aheadMs = 60_000;

/** What the system says about a path. */
interface Disk {
  /** Whether this user has the access of a mode such as `R_OK`. */
  readonly canAccess: (path: string, mode: number) => boolean;
  readonly freeBytes: (path: string) => number;
}

/** Checks the files of an embedded database. */
export function diagnoseSqlite(
  files: DatabaseFiles,
  {
    clock,
    canAccess = may,
    freeBytes = freeBytesOf,
  }: { readonly clock: () => number } & Partial<Disk>,
): Finding[] {
  const isUsable = (path: string): boolean => canAccess(path, constants.R_OK | constants.W_OK);
  const parts = [
    { name: 'data', part: 'data', path: files.data },
    { name: 'keys', part: 'access', path: files.access },
    ...(existsSync(files.ledger)
      ? [{ name: 'ledger', part: 'ledger', path: files.ledger } as const]
      : []),
  ] as const;
  const unreached = checkReach(files);
  if (unreached !== undefined) return [unreached];
  return [
    ...parts.flatMap((part) => checkPart(part, { clock, isUsable })),
    ...(parts.every(({ path }) => isUsable(path)) ? checkPair(files) : []),
    checkFolder(dirname(files.data), canAccess),
    ...checkPrivacy(files),
    ...(existsSync(files.data) ? [checkSpace(files.data, freeBytes)] : []),
    ...(isUsable(files.access)
      ? [checkCounters(files.access), checkClock(files.access, clock)]
      : []),
    checkLeftovers(files, canAccess),
  ].filter((finding) => finding !== undefined);
}

/** Checks whether the files can be accessed at all. */
function checkReach({ data, access }: DatabaseFiles): Finding | undefined {
  try {
    if (isThere(data) || isThere(access)) return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refusalProblem('files', error, 'The database cannot be reached.');
  }
  return problem(
    'files',
    `There is no database at ${data}.`,
    'Create one with `overheard workspace create`, or name another with --database.',
  );
}

interface Part {
  readonly name: string;
  readonly part: keyof typeof schemaParts;
  readonly path: string;
}

function checkPart(
  { name, part, path }: Part,
  { clock, isUsable }: { clock: () => number; isUsable: (path: string) => boolean },
): Finding[] {
  if (!existsSync(path)) return [missingFileProblem(name, path)];
  if (!isUsable(path)) {
    return [
      problem(
        'permissions',
        `${path} cannot be read and written.`,
        `Give this user the file: chmod u+rw, chown.`,
      ),
    ];
  }
  try {
    const { version } = checkFile(path, schemaParts[part]);
    return [
      checkSchemaVersion(part, version, name),
      checkIntegrity(name, path, clock),
      ...checkLog(path),
    ];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return [refusalProblem('schema', error, `The file of the ${name} cannot be used.`)];
  }
}

function checkPair(files: DatabaseFiles): Finding[] {
  try {
    isJoined(files);
    return [ok('pair', 'both files belong to one installation')];
  } catch (error) {
    // Another check reports a damaged or unreadable file.
    if (!isRefusal(error)) return [];
    return [refusalProblem('pair', error, 'The two files do not belong together.')];
  }
}

function missingFileProblem(name: string, path: string): Finding {
  const advice =
    name === 'keys'
      ? 'Restore both files from a backup, or go on without any key: overheard doctor --new-keys-file'
      : 'Restore both files from a backup, or remove this one to start over.';
  return problem('files', `${path}, the file of the ${name}, is missing.`, advice);
}

/** The full check, which also compares every index with its table. */
function checkIntegrity(name: string, path: string, clock: () => number): Finding {
  const beganMs = clock();
  const result = withReadOnly(path, (database) => {
    try {
      return String(database.prepare('pragma integrity_check(1)').get()?.['integrity_check']);
    } catch {
      return 'unreadable';
    }
  });
  const seconds = ((clock() - beganMs) / 1000).toFixed(1);
  if (result === 'ok') return ok('integrity', `${name}: ${path}, checked whole in ${seconds} s`);
  return problem('integrity', `${path} is damaged.`, 'Restore both files from a backup.');
}

function checkLog(path: string): Finding[] {
  const log = `${path}-wal`;
  if (!existsSync(log) || statSync(log).size < logWarning) return [];
  return [
    warning(
      'log',
      `${log} has ${Math.round(statSync(log).size / mebibyte)} MiB.`,
      'It is merged when no reader holds an old state: restart the servers once no import runs.',
    ),
  ];
}

function checkFolder(folder: string, canAccess: Disk['canAccess']): Finding {
  if (canAccess(folder, constants.W_OK)) return ok('permissions', `${folder} can be written`);
  return problem(
    'permissions',
    `${folder} cannot be written: SQLite keeps its log there.`,
    'Give this user the folder: chmod u+rwx, chown.',
  );
}

function checkSpace(path: string, freeBytes: Disk['freeBytes']): Finding {
  const free = freeBytes(dirname(path));
  const message = `${Math.round(free / mebibyte)} MiB free, the data has ${Math.ceil(statSync(path).size / mebibyte)} MiB`;
  if (free >= Math.max(freeWarning, statSync(path).size)) return ok('disk', message);
  const advice = 'Free some space: an import needs its size twice for a while, a backup the whole.';
  return free < freeProblem ? problem('disk', message, advice) : warning('disk', message, advice);
}

/**
 * Checks the clock. With a clock that lags, keys live too long and a 180-day window ends too early.
 */
function checkClock(path: string, clock: () => number): Finding | undefined {
  const latest = newestKey(path);
  const now = new Date(clock()).toISOString();
  if (typeof latest !== 'string' || Date.parse(latest) <= clock() + aheadMs) {
    return ok('clock', `${now}, as this machine has it`);
  }
  return warning(
    'clock',
    `This machine's clock says ${now}, but a key was made at ${latest}.`,
    'Set the clock, by NTP: expiry of keys, the quota and the days of scores depend on it.',
  );
}

/** When the newest key was made; undefined if another check reports that the file cannot be read. */
function newestKey(path: string): unknown {
  try {
    return withReadOnly(
      path,
      (database) =>
        database.prepare('select max(created_at) as latest from keys').get()?.['latest'],
    );
  } catch {
    return undefined;
  }
}

/**
 * Finds files that a process left behind when it was killed while it made a database or a backup.
 */
function checkLeftovers(
  { data, access }: DatabaseFiles,
  canAccess: Disk['canAccess'],
): Finding | undefined {
  const folder = dirname(data);
  if (!canAccess(folder, constants.R_OK)) return undefined;
  const names = [basename(data), basename(access)];
  const left = readdirSync(folder).filter(
    (name) =>
      isDraft(name) ||
      names.some(
        (fileName) => name.startsWith(`${fileName}.`) && /\.[0-9a-f-]{36}\.new/.test(name),
      ),
  );
  if (left.length === 0) return ok('leftovers', 'no unfinished files');
  return warning(
    'leftovers',
    `${folder} has unfinished files: ${left.join(', ')}`,
    'Remove them, unless a database or a backup is being made just now.',
  );
}

function withReadOnly<Result>(path: string, read: (database: DatabaseSync) => Result): Result {
  const database = openHandle(path, { isReadOnly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
