import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createGate } from '../../src/storage/gate.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { readAddress } from '../../src/storage/postgres/address.ts';
import { mapPostgresFailure } from '../../src/storage/postgres/failures.ts';
import { mapSqliteFailure } from '../../src/storage/sqlite/failures.ts';
import { removeWorkspace } from '../../src/workspaces/remove-workspace.ts';
import { runCommand } from '../commands/command-line.ts';
import type { Outcome } from '../commands/command-line.ts';
import { anyId, refusedIn } from './case.ts';
import type { Place, RefusalCases } from './case.ts';

const none = (): Record<string, never> => ({});

/** A case that maps an error of PostgreSQL's driver; `packages/server/test` has the real ones. */
function failing(code: string) {
  return {
    facts: none,
    provoke: () =>
      refusedIn(failWith(mapPostgresFailure(Object.assign(new Error('failed'), { code })))),
  };
}

/** A case in which SQLite itself fails. */
function sqliteFailing(fail: (database: DatabaseSync, place: Place) => void) {
  return {
    facts: none,
    provoke: (place: Place) =>
      refusedIn(
        (async () => {
          using database = new DatabaseSync(join(place.folder, 'fails.db'), { timeout: 0 });
          try {
            database.exec('create table notes (text text)');
            fail(database, place);
          } catch (error) {
            throw mapSqliteFailure(error);
          }
        })(),
      ),
  };
}

export const unavailableCases = {
  connection_failed: {
    facts: () => ({
      fault: 'refused',
      place: '127.0.0.1:5432',
      host: '127.0.0.1',
      user: 'overheard',
      database: 'overheard',
      words: 'ECONNREFUSED',
    }),
    provoke: async () => {
      const port = await closedPort();
      const url = `postgres://overheard@127.0.0.1:${port}/overheard`;
      const outcome = await runCommand(['workspace', 'list', '--database', url]);
      return { ...outcome, stderr: outcome.stderr.replace(`:${port}`, ':5432') };
    },
  },
  postgres_password_missing: {
    facts: none,
    provoke: () => {
      const { config } = readAddress('postgres://nobody@127.0.0.1:1/overheard');
      const { password } = config;
      if (typeof password !== 'function') throw new Error('There is a password already');
      return refusedIn(Promise.resolve(password()));
    },
  },
  database_unreachable: failing('ENOTFOUND'),
  connection_lost: failing('57P01'),
  database_starting: failing('57P03'),
  connections_exhausted: failing('53300'),
  database_out_of_room: failing('53100'),
  database_slow: failing('57014'),
  database_read_only: failing('25006'),
  transaction_conflict: failing('40001'),
  database_busy: sqliteFailing((database, { folder }) => {
    database.exec('begin immediate');
    using other = new DatabaseSync(join(folder, 'fails.db'), { timeout: 0 });
    other.exec('begin immediate');
  }),
  database_write_denied: sqliteFailing((_, { folder }) => {
    using reader = new DatabaseSync(join(folder, 'fails.db'), { readOnly: true });
    reader.exec(`insert into notes values ('')`);
  }),
  database_disk_failed: {
    facts: none,
    provoke: () => {
      const failure = Object.assign(new Error('disk I/O error'), { errcode: 10 });
      return refusedIn(failWith(mapSqliteFailure(failure)));
    },
  },
  database_disk_full: sqliteFailing((database) => {
    database.exec('pragma max_page_count = 2');
    database.prepare('insert into notes values (?)').run('x'.repeat(100_000));
  }),
  database_file_closed: sqliteFailing((_, { folder }) => {
    new DatabaseSync(join(folder, 'missing', 'test.db')).close();
  }),
  database_damage_found: sqliteFailing((_, { folder }) => {
    writeFileSync(join(folder, 'damaged.db'), 'x'.repeat(8192));
    using damaged = new DatabaseSync(join(folder, 'damaged.db'));
    damaged.exec('select * from notes');
  }),
  long_reads_too_many: {
    facts: none,
    provoke: async () => {
      const gate = createGate({ max: 1, maxOfOwner: 1, waitMs: 1 });
      await gate.enter('a');
      return refusedIn(gate.enter('a'));
    },
  },
  workspace_half_removed: {
    facts: none,
    provoke: async ({ url }): Promise<Outcome> => {
      const store = await openStore(url, { mayCreate: true });
      const busy = Object.assign(new Error('database is locked'), { errcode: 5 });
      const write = (): Promise<never> => failWith(mapSqliteFailure(busy));
      const outcome = await refusedIn(removeWorkspace({ ...store, write }, anyId));
      await store.close();
      return outcome;
    },
  },
} as const satisfies Partial<RefusalCases>;

async function failWith(error: unknown): Promise<never> {
  throw error;
}

/** A port at which nothing listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('It has no port');
  return address.port;
}
