import { join } from 'node:path';
import type { RefusalFacts } from '../../../refusals.ts';
import { shellWord } from '../../../values/shell-word.ts';
import { connectionWords } from './connections.ts';
import type { WordTable } from './word-table.ts';

const creating: Readonly<Record<RefusalFacts['file_not_creatable']['errno'], string>> = {
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

export const storageWords = {
  temporary_folder_full: () => [
    'The folder for temporary files cannot take the rows: its disk is full or cannot be written.',
    'Make room there, or name another folder with SQLITE_TMPDIR.',
  ],
  database_not_named: () => [
    'No database is named.',
    'Name one with --database, such as file:./overheard.db.',
  ],
  database_scheme_unknown: ({ scheme }) => [
    `A database is file:./overheard.db or postgres://user@host/name; "${scheme}:" is neither.`,
  ],
  database_name_malformed: () => [
    'The address of the database cannot be read: a "%" that is part of a name is written %25.',
  ],
  database_is_folder: ({ path }) => [
    `${path} is a folder.`,
    `Name a file in it with --database, such as ${join(path, 'overheard.db')}.`,
  ],
  database_not_found: ({ path }) => [
    `There is no database at ${path}.`,
    'Create one with `overheard workspace create` or `overheard serve --create`, or name another with --database.',
  ],
  database_folder_closed: ({ path }) => [
    `${path} cannot be reached.`,
    'Check the permissions of the folders above it.',
  ],
  database_unreadable: ({ path }) => [
    `${path} cannot be read.`,
    'Check that it is a file, its permissions, those of its folder, and that the disk is not full.',
  ],
  database_empty: ({ path }) => [
    `${path} is empty: it was truncated, or is not a database.`,
    'Restore a backup, or remove the file to start again.',
  ],
  database_not_ours: ({ path }) => [
    `${path} is not a database of Overheard, or is damaged.`,
    'Restore a backup, or name another file with --database.',
  ],
  database_foreign: ({ path }) => [
    `${path} is a SQLite database of another program.`,
    'Name another file with --database.',
  ],
  database_newer: ({ path = 'The database', version, known }) => [
    `${path} was written by a newer version of Overheard (schema ${version}; this one knows ${known}).`,
    'Install that version, or restore a backup.',
  ],
  database_damaged: ({ path }) => [
    `${path} is damaged or truncated.`,
    'Restore a backup; nothing was changed.',
  ],
  database_link_broken: ({ path }) => [
    `${path} is a link to a file that does not exist.`,
    'Remove the link, or make it lead to a database.',
  ],
  database_not_writable: ({ path, uid, isReadOnlyDisk }) =>
    isReadOnlyDisk
      ? [
          `${path} is on a read-only file system, so no request could be counted.`,
          'Mount it for writing, or name another file with --database.',
        ]
      : [
          `${path} cannot be written by this user${uid === undefined ? '' : ` (uid ${uid})`}: no request could be counted.`,
          'Run the server as the user that owns the database, or give it the files and their folder with chown.',
        ],
  data_file_missing: ({ data, access }) => [
    `${data} is missing although ${access} is there.`,
    'Restore both from a backup, or remove both to start again.',
  ],
  keys_file_missing: ({ data, access }) => [
    `${access}, the file with the keys of ${data}, is missing.`,
    'Restore both from a backup, or run `overheard doctor --new-keys-file` to go on without any key.',
  ],
  keys_file_exists: ({ path }) => [`${path} exists: no file of keys was made.`],
  installations_differ: ({ data, access }) => [
    `${data} and ${access} belong to different installations.`,
    'Restore both files from one backup. Nothing was changed.',
  ],
  file_not_creatable: ({ what, path, errno }) => [
    `The ${what} ${path} cannot be made: ${creating[errno]}.`,
    'Create its folder and let the user that runs Overheard write to it, or choose another path.',
  ],
  backup_of_postgres: ({ target, address }) => [
    'PostgreSQL has a tool for this that needs no downtime (its password comes from PGPASSWORD or ~/.pgpass):',
    [
      '',
      `  pg_dump --format=custom --no-owner --file=${shellWord(target)} ${shellWord(address)}`,
      'To restore it into an empty database:',
      `  pg_restore --no-owner --single-transaction --dbname=${shellWord(address)} ${shellWord(target)}`,
    ].join('\n'),
  ],
  backup_parent_missing: ({ folder }) => [
    `There is no folder ${folder}.`,
    'Make it, or name another.',
  ],
  backup_parent_unwritable: ({ folder }) => [
    `${folder} cannot be read and written.`,
    'Check its permissions.',
  ],
  backup_target_is_database: ({ target }) => [
    `${target} is the database itself.`,
    'Name another folder.',
  ],
  backup_target_is_file: ({ target }) => [
    `${target} is a database of Overheard, or an older backup in two files: it was not replaced.`,
    'Name a folder for the backup.',
  ],
  backup_target_foreign: ({ target }) => [
    `${target} is not a backup of Overheard: it was not replaced.`,
    'Name another folder.',
  ],
  backup_exists: ({ target }) => [
    `${target} is there already.`,
    'Name another folder, or replace it with --force.',
  ],
  backup_copy_damaged: () => [
    'The copy failed its integrity check: the database or a disk is damaged. No backup was written.',
    'Run `overheard doctor`.',
  ],
  backup_stopped: () => ['Stopped: no backup was written.'],
  postgres_address_malformed: () => [
    'The address of the database cannot be read.',
    'It is postgres://USER:PASSWORD@HOST:PORT/NAME, with other characters than letters and digits of the password as %XX.',
  ],
  sslmode_unknown: () => [
    'The sslmode in --database is not known.',
    'Use verify-full, no-verify or disable.',
  ],
  tls_file_unreadable: ({ path }) => [
    `The file ${path}, which --database names for TLS, cannot be read.`,
    'Check its path and permissions.',
  ],
  postgres_right_missing: () => [
    'The database server does not let this user do that.',
    'Run `grant create on schema public to USER` as the owner of the database, and let the user own the tables of Overheard.',
  ],
  postgres_too_old: ({ version }) => [
    `PostgreSQL ${version} is too old.`,
    'Upgrade the database server to 15 or newer.',
  ],
  distribution_of_sqlite: () => [
    'Only a PostgreSQL database can be distributed.',
    'Name one: --database postgres://USER@HOST/NAME',
  ],
  citus_missing: () => [
    'This database has no extension `citus`: nothing was changed.',
    [
      '',
      'On a Citus cluster, run `create extension citus` in this database on every node, add the workers with `citus_add_node`, then try again.',
      'https://docs.citusdata.com/en/stable/installation/multi_node.html',
    ].join('\n'),
  ],
  keys_file_of_postgres: () => ['PostgreSQL keeps the keys with the data: it has no file of keys.'],
  port_unavailable: ({ host, port, fault }) =>
    fault === 'taken'
      ? [`Port ${port} of ${host} is taken.`, 'Choose another with --port, or --port 0.']
      : [`Port ${port} may not be opened by this user.`, 'Choose one above 1023 with --port.'],
  host_not_local: ({ host }) => [
    `${host} is not an address of this machine.`,
    'Choose another with --host.',
  ],
  connection_failed: (facts) => connectionWords[facts.fault](facts),
  postgres_password_missing: () => [
    'The database server asks for a password, and none is given.',
    'Set PGPASSWORD, add a line to ~/.pgpass, or write it into --database: postgres://USER:PASSWORD@HOST/NAME.',
  ],
  database_unreachable: () => [
    'The database cannot be reached.',
    'Run `overheard doctor` with the same --database: it says why.',
  ],
  connection_lost: () => ['The connection to the database was lost.', 'Try again.'],
  database_starting: () => [
    'The database is starting, stopping or recovering.',
    'Try again in a moment.',
  ],
  connections_exhausted: () => [
    'The database has no connection left.',
    'Try again, raise max_connections, or lower --database-connections of each server.',
  ],
  database_out_of_room: () => [
    'The database is out of room: disk or memory.',
    'Make room there and try again.',
  ],
  database_slow: () => [
    'The database took too long to respond.',
    'Try again when it has less to do.',
  ],
  database_read_only: () => [
    'The database is read-only: it is a standby, or its settings forbid writing.',
    'Name the primary in --database.',
  ],
  transaction_conflict: () => ['Another transaction got in the way.', 'Try again.'],
  database_busy: () => [
    'The database is busy: another process is writing to it.',
    'Try again when that process has ended.',
  ],
  database_write_denied: () => [
    'The database cannot be written.',
    'Check its permissions and those of its folder.',
  ],
  database_disk_failed: () => [
    'The database could not be read or written: the disk reported an error.',
    'Check that the disk is not full, then run `overheard doctor`.',
  ],
  database_disk_full: () => ['The disk is full: nothing was written.', 'Free some space.'],
  database_file_closed: () => [
    'The database file cannot be opened.',
    'Check its permissions, those of its folder, and that the disk is not full.',
  ],
  database_damage_found: () => [
    'The database is damaged.',
    'Stop the server, run `overheard doctor` and restore a backup.',
  ],
  long_reads_too_many: () => ['Too many long reads are running.', 'Try again in a moment.'],
  postgres_encoding_wrong: ({ encoding }) => [
    `The database's encoding is ${encoding}; Overheard needs UTF8.`,
    "Create one with `create database overheard encoding 'UTF8' template template0`.",
  ],
} as const satisfies Partial<WordTable>;
