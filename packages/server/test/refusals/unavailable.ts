import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/storage/open/open-store.ts';
import { mapPostgresFailure } from '../../src/storage/postgres/failures.ts';
import { mapSqliteFailure } from '../../src/storage/sqlite/failures.ts';
import { removeWorkspace } from '../../src/workspaces/remove-workspace.ts';
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
  connection_lost: failing('57P01'),
  database_out_of_room: failing('53100'),
  database_slow: failing('57014'),
  database_read_only: failing('25006'),
  transaction_conflict: failing('40001'),
  database_busy: sqliteFailing((database, { folder }) => {
    database.exec('begin immediate');
    using other = new DatabaseSync(join(folder, 'fails.db'), { timeout: 0 });
    other.exec('begin immediate');
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
  database_damage_found: sqliteFailing((_, { folder }) => {
    writeFileSync(join(folder, 'damaged.db'), 'x'.repeat(8192));
    using damaged = new DatabaseSync(join(folder, 'damaged.db'));
    damaged.exec('select * from notes');
  }),
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
