import { readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Refusal, refusalParts } from '../../../refusals.ts';
import type { Growth } from '../../../reports/operator-facts.ts';
import { ok, problem, warning } from '../../../storage/finding.ts';
import type { Finding } from '../../../storage/finding.ts';
import { isPostgresUrl, sqlitePath } from '../../../storage/open/database-url.ts';
import { refuseParent } from '../../../storage/sqlite/backup/backup-files.ts';
import { backupFolder } from '../../../storage/sqlite/backup/folder.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';
import type { DatabaseFiles } from '../../../storage/sqlite/files/files.ts';
import { installationOf } from '../../../storage/sqlite/files/join-files.ts';
import { plural } from '../../../values/plural.ts';
import { dayMs, utcDay } from '../../../values/time/utc-day.ts';

/** Days after which the newest backup is too old. */
const daysMax = 2;

/** Of a moment: the name of its backup, and what tells its day, week or month from all others. */
const periods: ReadonlyArray<(atMs: number) => { name: string; begun: string }> = [
  (atMs) => {
    const day = Math.floor(atMs / dayMs);
    return { name: `day-${(day % 7) + 1}`, begun: utcDay(atMs) };
  },
  (atMs) => {
    const week = Math.floor(atMs / dayMs / 7);
    return { name: `week-${(week % 4) + 1}`, begun: String(week) };
  },
  (atMs) => {
    const month = utcDay(atMs).slice(0, 7);
    return { name: `month-${month.slice(5)}`, begun: month };
  },
];
const keptName = /^(?:day-[1-7]|week-[1-4]|month-(?:0[1-9]|1[0-2]))$/;

/** `installation` is missing in backups of older versions. */
const manifest = z.object({ made_at: z.iso.datetime(), installation: z.string().optional() });

interface Keeping {
  readonly folder: string;
  /** URL of the embedded database. */
  readonly database: string;
  readonly nowMs: number;
}

/**
 * Names of the backups to make now in the folder: those of today, of this week and of this month
 * that were not made since it began. A name comes again after 7 days, 4 weeks or 12 months, and its
 * backup is then replaced, so that nothing else has to be removed. Throws a `Refusal` if the folder
 * has backups of another database, which must not be replaced: the disk of this one may be missing.
 */
export function dueBackups({ folder, database, nowMs }: Keeping): string[] {
  const made = ownBackups(folder, database);
  if (made instanceof Refusal) throw made;
  return periods.flatMap((period) => {
    const { name, begun } = period(nowMs);
    const madeMs = made.get(name);
    const isThere = madeMs !== undefined && period(madeMs).begun === begun;
    return isThere ? [] : [name];
  });
}

/** Throws a `Refusal` if backups cannot be kept: of PostgreSQL, or without a folder to write. */
export async function refuseKeeping(folder: string, database: string): Promise<void> {
  if (await isPostgresUrl(database)) throw new Refusal('backups_of_postgres', {});
  refuseParent(folder);
}

/** When the newest backup that is kept in the folder was made; undefined if there is none. */
export function lastBackupMs({ folder, database, nowMs }: Keeping): number | undefined {
  const own = ownBackups(folder, database);
  // A moment to come is of a clock that ran ahead.
  const made = own instanceof Refusal ? [] : [...own.values()].filter((atMs) => atMs <= nowMs);
  return made.length === 0 ? undefined : Math.max(...made);
}

/** Reports the age of the newest backup of the database that is kept in the folder. */
export function checkBackups({ folder, database, nowMs }: Keeping): Finding {
  const own = ownBackups(folder, database);
  if (own instanceof Refusal) {
    return { check: 'backups', state: 'problem', message: '', advice: null, refusal: own };
  }
  const newestMs = lastBackupMs({ folder, database, nowMs });
  if (newestMs !== undefined && nowMs - newestMs <= daysMax * dayMs) {
    return ok('backups', `the newest backup in ${folder} is of ${utcDay(newestMs)}`);
  }
  return problem(
    'backups',
    newestMs === undefined
      ? `There is no backup in ${folder}.`
      : `The newest backup in ${folder} is of ${utcDay(newestMs)}.`,
    `\`overheard serve --backups\` makes one a day: its log says what failed. By hand: overheard backup --force ${join(folder, 'day-1')}`,
  );
}

/** Days between two backups whose sizes say how a database grows, and days that a disk should last. */
const [growthDaysMin, fullDaysMin] = [2, 30];
const mebibyte = 1024 * 1024;

/**
 * How a database grows, by the sizes of its oldest and its newest kept backup. Undefined without two
 * that are days apart, or if the database does not grow.
 */
export function growthOf({ folder, database }: Keeping): Growth | undefined {
  const own = ownBackups(folder, database);
  if (own instanceof Refusal) return undefined;
  const made = [...own].toSorted(([, left], [, right]) => left - right);
  const [oldest, newest] = [made[0], made.at(-1)];
  if (oldest === undefined || newest === undefined) return undefined;
  const days = (newest[1] - oldest[1]) / dayMs;
  if (days < growthDaysMin) return undefined;
  const sizeOf = (name: string) => bytesOf(backupFolder(join(folder, name)));
  const bytesPerDay = (sizeOf(newest[0]) - sizeOf(oldest[0])) / days;
  if (bytesPerDay <= 0) return undefined;
  const { bavail, bsize } = statfsSync(dirname(sqlitePath(database)));
  return { bytesPerDay, fullInDays: Math.floor((bavail * bsize) / bytesPerDay) };
}

/** Reports how the database grows and when its disk will be full, if the kept backups tell. */
export function checkGrowth(keeping: Keeping): Finding[] {
  const growth = growthOf(keeping);
  if (growth === undefined) return [];
  const size = (growth.bytesPerDay / mebibyte).toFixed(1);
  const message = `The database grows by ${size} MiB a day: its disk is full in ${plural(growth.fullInDays, 'day')}.`;
  if (growth.fullInDays >= fullDaysMin) return [ok('growth', message)];
  const advice = 'Make the disk larger, or keep less: overheard prune --help';
  return [warning('growth', message, advice)];
}

/** The size of the files of a backup. */
function bytesOf({ data, access, ledger }: DatabaseFiles): number {
  return [data, access, ledger].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** What is wrong with the backups, in a sentence; undefined if nothing is, or none are kept. */
export async function backupFault({
  folder,
  ...keeping
}: Omit<Keeping, 'folder'> & { readonly folder: string | undefined }): Promise<string | undefined> {
  if (folder === undefined || (await isPostgresUrl(keeping.database))) return undefined;
  const { state, message, refusal } = checkBackups({ folder, ...keeping });
  if (state === 'ok') return undefined;
  return refusal === undefined ? message : refusalParts(refusal)[0];
}

/** When each backup was made, in milliseconds since 1970, by its name; a refusal if one is another database's. */
function ownBackups(folder: string, database: string): ReadonlyMap<string, number> | Refusal {
  const own = installationOf(databaseFiles(sqlitePath(database)));
  const found = new Map<string, number>();
  for (const name of namesIn(folder).filter((each) => keptName.test(each))) {
    const kept = readManifest(join(folder, name));
    if (kept === undefined) continue;
    if (kept.installation !== undefined && kept.installation !== own) {
      return new Refusal('backups_of_another', { folder: join(folder, name) });
    }
    found.set(name, Date.parse(kept.made_at));
  }
  return found;
}

/** The names in a folder; none if there is no folder, or it cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What a backup says of itself; undefined if there is none, or it is damaged. */
function readManifest(folder: string): z.output<typeof manifest> | undefined {
  try {
    const text = readFileSync(backupFolder(folder).manifest, 'utf8');
    return manifest.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
