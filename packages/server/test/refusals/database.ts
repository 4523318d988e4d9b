import { rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { latestVersion } from '../../src/storage/migrations/migration.ts';
import { schemaParts } from '../../src/storage/migrations/schema-parts.ts';
import { mapPostgresFailure } from '../../src/storage/postgres/failures.ts';
import { requireEncoding, requireServerVersion } from '../../src/storage/postgres/migrate.ts';
import { openSpoolFile } from '../../src/storage/staging/staging.ts';
import { openHandle } from '../../src/storage/sqlite/handle.ts';
import { runCommand } from '../commands/command-line.ts';
import type { Outcome } from '../commands/command-line.ts';
import { createAcme, refusedIn, canRunReadingOnly, runReadingOnly } from './case.ts';
import type { Place, RefusalCases } from './case.ts';

export const databaseCases = {
  temporary_folder_full: {
    facts: () => ({}),
    provoke: () => refusedIn(fillSpool()),
  },
  database_empty: {
    facts: (folder) => ({ path: join(folder, 'test.db') }),
    provoke: (place) => spoil(place, ({ data }) => truncate(data)),
  },
  database_not_ours: {
    facts: (folder) => ({ path: join(folder, 'test.db') }),
    provoke: (place) => spoil(place, ({ data }) => writeFile(data, 'date;engine\n')),
  },
  database_foreign: {
    facts: (folder) => ({ path: join(folder, 'test.db') }),
    provoke: (place) =>
      spoil(place, async ({ data }) => {
        await rm(data);
        const foreign = new DatabaseSync(data);
        foreign.exec('create table keys (id text)');
        foreign.close();
      }),
  },
  database_newer: {
    facts: (folder) => ({
      path: join(folder, 'test.access.db'),
      version: 999,
      known: latestVersion(schemaParts.access),
    }),
    provoke: (place) => withVersion(place, 999),
  },
  database_older: {
    facts: (folder) => ({
      path: join(folder, 'test.access.db'),
      version: 1,
      oldest: schemaParts.access.oldest,
    }),
    provoke: (place) => withVersion(place, 1),
  },
  database_damaged: {
    facts: (folder) => ({ path: join(folder, 'test.db') }),
    provoke: (place) => spoil(place, ({ data }) => truncate(data, 8192)),
  },
  database_link_broken: {
    facts: (folder) => ({ path: join(folder, 'test.db') }),
    provoke: async ({ folder, url }) => {
      await symlink('missing.db', join(folder, 'test.db'));
      return list(url);
    },
  },
  database_not_writable: {
    facts: (folder) => ({ path: join(folder, 'test.db'), uid: 1000, isReadOnlyDisk: false }),
    isPossible: canRunReadingOnly,
    provoke: async (place) => {
      await createAcme(place);
      const serve = ['serve', '--port', '0', '--database', place.url];
      const outcome = await runReadingOnly(place.folder, ...serve);
      return { ...outcome, stderr: outcome.stderr.replace(/uid \d+/, 'uid 1000') };
    },
  },
  data_file_missing: {
    facts: (folder) => pathsIn(folder),
    provoke: async (place) => {
      await createAcme(place);
      await place.run('key', 'create', '--workspace', 'acme');
      await rm(pathsIn(place.folder).data);
      return list(place.url);
    },
  },
  keys_file_missing: {
    facts: (folder) => pathsIn(folder),
    provoke: (place) => spoil(place, ({ access }) => rm(access)),
  },
  keys_file_exists: {
    facts: (folder) => ({ path: pathsIn(folder).access }),
    provoke: async (place) => {
      await createAcme(place);
      return place.run('doctor', '--new-keys-file');
    },
  },
  installations_differ: {
    facts: (folder) => pathsIn(folder),
    provoke: (place) =>
      spoil(place, async ({ access }) => {
        const other = join(place.folder, 'other.db');
        const brand = ['--name', 'Other', '--brand', 'Other'];
        await runCommand(['workspace', 'create', 'other', ...brand, '--database', other]);
        await rename(join(place.folder, 'other.access.db'), access);
      }),
  },
  file_not_creatable: {
    facts: (folder) => ({ what: 'folder', path: join(folder, 'file'), errno: 'EEXIST' }),
    provoke: async ({ folder }) => {
      await writeFile(join(folder, 'file'), '');
      const database = ['--database', join(folder, 'file', 'test.db')];
      const words = ['--name', 'Acme', '--brand', 'Acme'];
      return runCommand(['workspace', 'create', 'acme', ...words, ...database]);
    },
  },
  postgres_right_missing: {
    facts: () => ({}),
    provoke: () => refusedIn(Promise.reject(missingRight())),
  },
  postgres_too_old: {
    facts: () => ({ version: '14.9' }),
    provoke: () =>
      refusedIn((async () => requireServerVersion({ name: '14.9', number: 140_009 }))()),
  },
  postgres_encoding_wrong: {
    facts: () => ({ encoding: 'LATIN1' }),
    provoke: () => refusedIn((async () => requireEncoding('LATIN1'))()),
  },
} as const satisfies Partial<RefusalCases>;

function pathsIn(folder: string): { data: string; access: string } {
  return { data: join(folder, 'test.db'), access: join(folder, 'test.access.db') };
}

function list(database: string): Promise<Outcome> {
  return runCommand(['workspace', 'list', '--database', database]);
}

/** Makes a database, changes one of its files and opens it. */
async function spoil(
  place: Place,
  change: (paths: { data: string; access: string }) => Promise<void>,
): Promise<Outcome> {
  await createAcme(place);
  await change(pathsIn(place.folder));
  return list(place.url);
}

function withVersion(place: Place, version: number): Promise<Outcome> {
  return spoil(place, async ({ access }) => {
    const handle = openHandle(access);
    handle.exec(`pragma user_version = ${version}; pragma wal_checkpoint(truncate)`);
    handle.close();
  });
}

async function fillSpool(): Promise<void> {
  const spool = openSpoolFile({ cacheKiB: 64, bytesMax: 256 * 1024 });
  try {
    spool.execute('create table rows (text text)');
    const insert = spool.prepare('insert into rows values (?)');
    for (let row = 0; row < 1000; row += 1) insert.run('x'.repeat(1000));
  } finally {
    spool.close();
  }
}

function missingRight(): Error {
  const failure = Object.assign(new Error('permission denied'), { code: '42501' });
  const mapped = mapPostgresFailure(failure);
  return mapped instanceof Error ? mapped : failure;
}
