import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { settings } from '../../../config.ts';
import { isPostgresUrl, sqlitePath } from '../../../storage/open/database-url.ts';
import { backupFiles } from '../../../storage/sqlite/backup/backup-files.ts';
import { mapSqliteFailure } from '../../../storage/sqlite/failures.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';
import type { DatabaseFiles } from '../../../storage/sqlite/files/files.ts';
import { defineCommand, word } from '../../define/define-command.ts';
import type { Context } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';
import { shellWord } from '../../../values/shell-word.ts';
import { Refusal } from '../../../refusals.ts';

const { database } = settings;

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'copy the database while it is in use',
  description:
    'Copies the embedded database into a new folder, while servers and imports continue. The copy is a snapshot of one moment, without unfinished imports. It is checked, and only a complete backup gets the name of the folder. For PostgreSQL use pg_dump.',
  arguments: { folder: word('the folder to make, such as backups/2026-11-20') },
  options: { force: flag('replace an older backup of that name'), database },
  json: '{folder, bytes}',
  examples: [
    'overheard backup backup',
    'overheard backup --force /srv/backups/overheard --database file:/srv/overheard/overheard.db',
    'overheard backup "backups/$(date +%F)"',
  ],
  run: async (context, { folder, database: url, force }) => {
    if (await isPostgresUrl(url)) throw refusePostgres(folder, url);
    const from = databaseFiles(sqlitePath(url));
    const target = resolve(folder);
    const { bytes } = await copy(context, from, target, force);
    return {
      json: { folder: target, bytes },
      words: [
        `Backed up and checked: ${target}, ${(bytes / 1_000_000).toFixed(1)} MB.`,
        `To restore it, stop every server and import of the database, then: overheard restore ${shellWord(target)}`,
        existsSync(join(dirname(from.data), 'overheard.secret')) &&
          'The backup does not hold overheard.secret, which opens the stored keys of engines. Keep a copy of it elsewhere, or paste the keys again after a restore.',
      ],
    };
  },
});

async function copy(
  { io, progress }: Context,
  from: DatabaseFiles,
  target: string,
  mayReplace: boolean,
): ReturnType<typeof backupFiles> {
  const onProgress = (share: number): void => progress.update(() => 'Copied', share);
  try {
    return await backupFiles(from, target, {
      mayReplace,
      clock: io.clock,
      signal: io.signal,
      onProgress,
    });
  } catch (error) {
    throw mapSqliteFailure(error);
  }
}

function refusePostgres(target: string, url: string): Refusal {
  const address = URL.parse(url);
  // A password on the command line is visible to everybody on the machine.
  if (address !== null) address.password = '';
  return new Refusal('backup_of_postgres', {
    target,
    address: address?.href ?? 'postgres://USER@HOST/NAME',
  });
}
