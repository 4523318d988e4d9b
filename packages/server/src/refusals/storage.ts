import { state, unavailable, usage } from './define.ts';
import { join } from 'node:path';
import { shellWord } from '../values/shell-word.ts';
import { connectionWords } from './connections.ts';
import type { ConnectionFacts, ConnectionFault } from './connections.ts';

/** The two files of an embedded database. */
export interface DatabasePaths {
  readonly data: string;
  readonly access: string;
}

const creating = {
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

export const storageRefusals = {
  temporary_folder_full: state(() => [
    'The folder for temporary files cannot take the rows: its disk is full or cannot be written.',
    'Make room there, or name another folder with SQLITE_TMPDIR.',
  ]),
  database_not_named: usage(() => [
    'No database is named.',
    'Name one with --database, such as file:./overheard.db.',
  ]),
  database_scheme_unknown: usage<{ scheme: string }>(({ scheme }) => [
    `A database is file:./overheard.db or postgres://user@host/name; "${scheme}:" is neither.`,
  ]),
  database_name_malformed: usage(() => [
    'The address of the database cannot be read: a "%" that is part of a name is written %25.',
  ]),
  database_is_folder: usage<{ path: string }>(({ path }) => [
    `${path} is a folder.`,
    `Name a file in it with --database, such as ${join(path, 'overheard.db')}.`,
  ]),
  database_not_found: state<{ path: string }>(({ path }) => [
    `There is no database at ${path}.`,
    'Create one with `overheard workspace create` or `overheard serve --create`, or name another with --database.',
  ]),
  database_folder_closed: state<{ path: string }>(({ path }) => [
    `${path} cannot be reached.`,
    'Check the permissions of the folders above it.',
  ]),
  database_unreadable: state<{ path: string }>(({ path }) => [
    `${path} cannot be read.`,
    'Check that it is a file, its permissions, those of its folder, and that the disk is not full.',
  ]),
  database_empty: state<{ path: string }>(({ path }) => [
    `${path} is empty: it was truncated, or is not a database.`,
    'Restore a backup, or remove the file to start again.',
  ]),
  database_not_ours: state<{ path: string }>(({ path }) => [
    `${path} is not a database of Overheard, or is damaged.`,
    'Restore a backup, or name another file with --database.',
  ]),
  database_foreign: state<{ path: string }>(({ path }) => [
    `${path} is a SQLite database of another program.`,
    'Name another file with --database.',
  ]),
  database_newer: state<{ path: string | undefined; version: number; known: number }>(
    ({ path = 'The database', version, known }) => [
      `${path} was written by a newer version of Overheard (schema ${version}; this one knows ${known}).`,
      'Install that version, or restore a backup.',
    ],
  ),
  database_older: state<{ path: string | undefined; version: number; oldest: number }>(
    ({ path = 'The database', version, oldest }) => [
      `${path} was written before version 0.1.0 of Overheard (schema ${version}; the oldest that can be opened is ${oldest}).`,
      'Export its workspaces with the version that wrote it, and import them into a new database.',
    ],
  ),
  database_damaged: state<{ path: string }>(({ path }) => [
    `${path} is damaged or truncated.`,
    'Restore a backup; nothing was changed.',
  ]),
  database_link_broken: state<{ path: string }>(({ path }) => [
    `${path} is a link to a file that does not exist.`,
    'Remove the link, or make it lead to a database.',
  ]),
  database_not_writable: state<{
    path: string;
    uid: number | undefined;
    isReadOnlyDisk: boolean;
  }>(({ path, uid, isReadOnlyDisk }) =>
    isReadOnlyDisk
      ? [
          `${path} is on a read-only file system, so no request could be counted.`,
          'Mount it for writing, or name another file with --database.',
        ]
      : [
          `${path} cannot be written by this user${uid === undefined ? '' : ` (uid ${uid})`}: no request could be counted.`,
          'Run the server as the user that owns the database, or give it the files and their folder with chown.',
        ],
  ),
  data_file_missing: state<DatabasePaths>(({ data, access }) => [
    `${data} is missing although ${access} is there.`,
    'Restore both from a backup, or remove both to start again.',
  ]),
  keys_file_missing: state<DatabasePaths>(({ data, access }) => [
    `${access}, the file with the keys of ${data}, is missing.`,
    'Restore both from a backup, or run `overheard doctor --new-keys-file` to go on without any key.',
  ]),
  keys_file_exists: state<{ path: string }>(({ path }) => [
    `${path} exists: no file of keys was made.`,
  ]),
  installations_differ: state<DatabasePaths>(({ data, access }) => [
    `${data} and ${access} belong to different installations.`,
    'Restore both files from one backup. Nothing was changed.',
  ]),
  file_not_creatable: state<{
    what: 'file' | 'folder';
    path: string;
    errno: keyof typeof creating;
  }>(({ what, path, errno }) => [
    `The ${what} ${path} cannot be made: ${creating[errno]}.`,
    'Create its folder and let the user that runs Overheard write to it, or choose another path.',
  ]),
  backup_of_postgres: usage<{ target: string; address: string }>(({ target, address }) => [
    'PostgreSQL has a tool for this that needs no downtime (its password comes from PGPASSWORD or ~/.pgpass):',
    [
      '',
      `  pg_dump --format=custom --no-owner --file=${shellWord(target)} ${shellWord(address)}`,
      'To restore it into an empty database:',
      `  pg_restore --no-owner --single-transaction --dbname=${shellWord(address)} ${shellWord(target)}`,
      'After a restore, before anything asks engines: `overheard database restored`',
    ].join('\n'),
  ]),
  backups_of_postgres: usage(() => [
    'Backups of PostgreSQL are not made by `serve`.',
    'Leave out --backups, and run pg_dump daily: `overheard backup` shows how.',
  ]),
  backups_of_another: state<{ folder: string }>(({ folder }) => [
    `${folder} is a backup of another database: it is not replaced.`,
    'Name another folder with --backups, or check that --database names the right file.',
  ]),
  backup_parent_missing: state<{ folder: string }>(({ folder }) => [
    `There is no folder ${folder}.`,
    'Make it, or name another.',
  ]),
  backup_parent_unwritable: state<{ folder: string }>(({ folder }) => [
    `${folder} cannot be read and written.`,
    'Give it to the user that runs Overheard, and name it in ReadWritePaths= of a unit of systemd.',
  ]),
  backup_target_is_database: usage<{ target: string }>(({ target }) => [
    `${target} is the database itself.`,
    'Name another folder.',
  ]),
  backup_target_is_file: state<{ target: string }>(({ target }) => [
    `${target} is a database of Overheard, or an older backup in two files: it was not replaced.`,
    'Name a folder for the backup.',
  ]),
  backup_target_foreign: state<{ target: string }>(({ target }) => [
    `${target} is not a backup of Overheard: it was not replaced.`,
    'Name another folder.',
  ]),
  backup_exists: state<{ target: string }>(({ target }) => [
    `${target} is there already.`,
    'Name another folder, or replace it with --force.',
  ]),
  backup_copy_damaged: state(() => [
    'The copy failed its integrity check: the database or a disk is damaged. No backup was written.',
    'Run `overheard doctor`.',
  ]),
  backup_stopped: state(() => ['Stopped: no backup was written.']),
  restore_of_postgres: usage(() => [
    'Only the embedded database is restored by this command.',
    'For PostgreSQL use pg_restore: `overheard backup` shows how.',
  ]),
  restore_without_backup: usage<{ folder: string }>(({ folder }) => [
    `${folder} has no backup: overheard.db and overheard.access.db are not both there.`,
    'Name a folder that `overheard backup` made.',
  ]),
  restore_in_use: state<{ path: string }>(({ path }) => [
    `${path} is in use. Nothing was changed.`,
    'Stop every server and import of the database first.',
  ]),
  postgres_address_malformed: usage(() => [
    'The address of the database cannot be read.',
    'It is postgres://USER:PASSWORD@HOST:PORT/NAME, with other characters than letters and digits of the password as %XX.',
  ]),
  sslmode_unknown: usage(() => [
    'The sslmode in --database is not known.',
    'Use verify-full, no-verify or disable.',
  ]),
  tls_file_unreadable: usage<{ path: string }>(({ path }) => [
    `The file ${path}, which --database names for TLS, cannot be read.`,
    'Check its path and permissions.',
  ]),
  postgres_right_missing: state(() => [
    'The database server does not let this user do that.',
    'Run `grant create on schema public to USER` as the owner of the database, and let the user own the tables of Overheard.',
  ]),
  postgres_too_old: state<{ version: string }>(({ version }) => [
    `PostgreSQL ${version} is too old.`,
    'Upgrade the database server to 15 or newer.',
  ]),
  keys_file_of_postgres: usage(() => [
    'PostgreSQL keeps the keys with the data: it has no file of keys.',
  ]),
  port_unavailable: state<{ host: string; port: number; fault: 'taken' | 'not_permitted' }>(
    ({ host, port, fault }) =>
      fault === 'taken'
        ? [`Port ${port} of ${host} is taken.`, 'Choose another with --port, or --port 0.']
        : [`Port ${port} may not be opened by this user.`, 'Choose one above 1023 with --port.'],
  ),
  host_not_local: usage<{ host: string }>(({ host }) => [
    `${host} is not an address of this machine.`,
    'Choose another with --host.',
  ]),
  connection_failed: unavailable<ConnectionFacts & { readonly fault: ConnectionFault }>((facts) =>
    connectionWords[facts.fault](facts),
  ),
  postgres_password_missing: unavailable(() => [
    'The database server asks for a password, and none is given.',
    'Set PGPASSWORD, add a line to ~/.pgpass, or write it into --database: postgres://USER:PASSWORD@HOST/NAME.',
  ]),
  database_unreachable: unavailable(() => [
    'The database cannot be reached.',
    'Run `overheard doctor` with the same --database: it says why.',
  ]),
  connection_lost: unavailable(() => ['The connection to the database was lost.', 'Try again.']),
  database_starting: unavailable(() => [
    'The database is starting, stopping or recovering.',
    'Try again in a moment.',
  ]),
  connections_exhausted: unavailable(() => [
    'The database has no connection left.',
    'Try again, raise max_connections, or lower --database-connections of each server.',
  ]),
  database_out_of_room: unavailable(() => [
    'The database is out of room: disk or memory.',
    'Make room there and try again.',
  ]),
  database_slow: unavailable(() => [
    'The database took too long to respond.',
    'Try again when it has less to do.',
  ]),
  database_read_only: unavailable(() => [
    'The database is read-only: it is a standby, or its settings forbid writing.',
    'Name the primary in --database.',
  ]),
  transaction_conflict: unavailable(() => ['Another transaction got in the way.', 'Try again.']),
  database_busy: unavailable(() => [
    'The database is busy: another process is writing to it.',
    'Try again when that process has ended.',
  ]),
  database_write_denied: unavailable(() => [
    'The database cannot be written.',
    'Check its permissions and those of its folder.',
  ]),
  database_disk_failed: unavailable(() => [
    'The database could not be read or written: the disk reported an error.',
    'Check that the disk is not full, then run `overheard doctor`.',
  ]),
  database_disk_full: unavailable(() => [
    'The disk is full: nothing was written.',
    'Free some space.',
  ]),
  database_file_closed: unavailable(() => [
    'The database file cannot be opened.',
    'Check its permissions, those of its folder, and that the disk is not full.',
  ]),
  database_damage_found: unavailable(() => [
    'The database is damaged.',
    'Stop the server, run `overheard doctor` and restore a backup.',
  ]),
  long_reads_too_many: unavailable(() => [
    'Too many long reads are running.',
    'Try again in a moment.',
  ]),
  postgres_encoding_wrong: state<{ encoding: string }>(({ encoding }) => [
    `The database's encoding is ${encoding}; Overheard needs UTF8.`,
    "Create one with `create database overheard encoding 'UTF8' template template0`.",
  ]),
};
