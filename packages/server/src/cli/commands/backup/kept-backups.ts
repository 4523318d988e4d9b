import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Refusal } from '../../../refusals.ts';
import { ok, problem } from '../../../storage/finding.ts';
import type { Finding } from '../../../storage/finding.ts';
import { isPostgresUrl } from '../../../storage/open/database-url.ts';
import { backupFolder } from '../../../storage/sqlite/backup/folder.ts';
import { dayMs, utcDay } from '../../../values/time/utc-day.ts';

/** Days after which the newest backup is too old. */
const daysMax = 2;

const manifest = z.object({ made_at: z.iso.datetime() });

/**
 * Names of the backups to make now in the folder: those of today, of this week and of this month
 * that were not made since it began. A name comes again after 7 days, 4 weeks or 12 months, and its
 * backup is then replaced, so that nothing else has to be removed.
 */
export function dueBackups(folder: string, nowMs: number): string[] {
  return periods.flatMap((period) => {
    const { name, begun } = period(nowMs);
    const madeMs = madeAt(join(folder, name));
    // A clock that was set back makes one more.
    const isThere = madeMs !== undefined && period(madeMs).begun === begun;
    return isThere ? [] : [name];
  });
}

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

/** Throws a `Refusal` if backups cannot be kept: of PostgreSQL, or without the folder. */
export async function refuseKeeping(folder: string, database: string): Promise<void> {
  if (await isPostgresUrl(database)) throw new Refusal('backups_of_postgres', {});
  if (!existsSync(folder)) throw new Refusal('backup_parent_missing', { folder });
}

/** Reports the age of the newest backup that is kept in the folder. */
export function checkBackups(folder: string, nowMs: number): Finding {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const made = names.flatMap((name) => madeAt(join(folder, name)) ?? []);
  const newestMs = Math.max(...made);
  if (made.length > 0 && nowMs - newestMs <= daysMax * dayMs) {
    return ok('backups', `the newest backup in ${folder} is of ${utcDay(newestMs)}`);
  }
  return problem(
    'backups',
    made.length === 0
      ? `There is no backup in ${folder}.`
      : `The newest backup in ${folder} is of ${utcDay(newestMs)}.`,
    `\`overheard serve --backups\` makes one a day: its log says what failed. By hand: overheard backup --force ${join(folder, 'day-1')}`,
  );
}

/** When a backup was made, in milliseconds since 1970; undefined if it is not there or says nothing. */
function madeAt(folder: string): number | undefined {
  try {
    const text = readFileSync(backupFolder(folder).manifest, 'utf8');
    return Date.parse(manifest.parse(JSON.parse(text)).made_at);
  } catch {
    return undefined;
  }
}
