import { resolve } from 'node:path';
import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { CommandError } from '../../problems.ts';
import { isPostgresUrl, sqlitePath } from '../../storage/open/database-url.ts';
import { backupFiles } from '../../storage/sqlite/backup/backup.ts';
import { mapSqliteFailure } from '../../storage/sqlite/failures.ts';
import { databaseFiles } from '../../storage/sqlite/files/files.ts';
import type { DatabaseFiles } from '../../storage/sqlite/files/files.ts';
import type { Io } from '../terminal/io.ts';
import { printWords } from '../terminal/print.ts';
import { shellWord } from '../terminal/shell-word.ts';

/** `overheard backup` */
export function backupCommand(io: Io): Command {
  return new Command('backup')
    .summary('copy the database while it is in use')
    .description(
      'Copies the embedded database into a new folder, while servers and imports go on. The copy is the data of one moment; an import that has not ended is not in it. It is checked, and only a whole backup gets the name of the folder. PostgreSQL has pg_dump for this.',
    )
    .argument('<folder>', 'the folder to make, such as backups/2026-11-20')
    .option('--force', 'replace an older backup of that name')
    .addOption(option(settings.database))
    .addHelpText('after', examples)
    .action(async (folder: string, { database, force = false }: Options) => {
      if (await isPostgresUrl(database)) throw usePgDump(folder, database);
      const from = databaseFiles(sqlitePath(database));
      const target = resolve(folder);
      const { bytes, to } = await copy(io, from, target, force);
      printWords(
        io,
        [
          `Backed up and checked: ${target}, ${megabytes(bytes)} MB.`,
          ...restoreWords(from, to),
        ].join('\n'),
      );
    });
}

interface Options {
  readonly database: string;
  readonly force?: boolean;
}

async function copy(
  io: Io,
  from: DatabaseFiles,
  target: string,
  mayReplace: boolean,
): ReturnType<typeof backupFiles> {
  const onProgress = (share: number): void => {
    if (io.isTerminal) io.stderr.write(`\rcopied ${Math.floor(share * 100)} %\u001b[K`);
  };
  try {
    return await backupFiles(from, target, {
      mayReplace,
      clock: io.clock,
      signal: io.signal,
      onProgress,
    });
  } catch (error) {
    throw mapSqliteFailure(error);
  } finally {
    if (io.isTerminal) io.stderr.write('\r\u001b[K');
  }
}

/** A log that is left beside a restored file would be applied to it. */
function restoreWords(from: DatabaseFiles, to: DatabaseFiles): string[] {
  const logs = [from.data, from.access].flatMap((path) => [`${path}-wal`, `${path}-shm`]);
  return [
    'To restore it, stop every server and import of the database, then:',
    `  rm -f ${logs.map(shellWord).join(' ')}`,
    `  cp ${shellWord(to.access)} ${shellWord(from.access)}`,
    `  cp ${shellWord(to.data)} ${shellWord(from.data)}`,
  ];
}

function usePgDump(file: string, database: string): CommandError {
  const url = URL.parse(database);
  // A password on the command line is visible to everybody on the machine.
  if (url !== null) url.password = '';
  const target = shellWord(url?.href ?? 'postgres://USER@HOST/NAME');
  return new CommandError(
    [
      'PostgreSQL has a tool for this that needs no downtime (its password comes from PGPASSWORD or ~/.pgpass):',
      `  pg_dump --format=custom --no-owner --file=${shellWord(file)} ${target}`,
      'To restore it into an empty database:',
      `  pg_restore --no-owner --single-transaction --dbname=${target} ${shellWord(file)}`,
    ].join('\n'),
    { exitCode: 2 },
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

const examples = `
Examples:
  overheard backup backup
  overheard backup --force /srv/backups/overheard --database file:/srv/overheard/overheard.db
  overheard backup "backups/$(date +%F)"`;
