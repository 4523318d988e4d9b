import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Refusal, refusalParts } from '../../../refusals.ts';
import { ok, problem } from '../../../storage/finding.ts';
import type { Finding } from '../../../storage/finding.ts';
import { isPostgresUrl, sqlitePath } from '../../../storage/open/database-url.ts';
import { refuseParent } from '../../../storage/sqlite/backup/backup-files.ts';
import { backupFolder } from '../../../storage/sqlite/backup/folder.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';
import { installationOf } from '../../../storage/sqlite/files/join-files.ts';
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
