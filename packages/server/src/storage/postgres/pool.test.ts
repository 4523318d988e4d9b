import { sql } from 'kysely';
import { Pool } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startWire } from '../../../test/stores/database-wire.ts';
import { eachDatabase, eachStore } from '../../../test/stores/stores.ts';
import { openStore } from '../open/open-store.ts';
import type { Store } from '../store.ts';
import { isUnavailable } from '../unavailable.ts';
import { mapPostgresFailure } from './failures.ts';

eachStore('connections', (open, dialect) => {
  test.runIf(dialect === 'postgres')(
    'the database itself keeps reading connections from writing and limits their time; writing ones have no limit',
    async () => {
      const { store } = await open();
      const limitOf = async (db: Store['reader']) =>
        (await sql`show statement_timeout`.execute(db)).rows;
      expect(await limitOf(store.reader)).toEqual([{ statement_timeout: '7s' }]);
      expect(await limitOf(store.writer)).toEqual([{ statement_timeout: '0' }]);
      const write = store.reader.deleteFrom('prompts').execute().catch(store.mapFailure);
      expect(await write).toMatchObject({ code: 'database_read_only' });
    },
  );

  // Only PostgreSQL 15 to 17 with LLVM compile, which the server of the tests isn't.
  test.runIf(dialect === 'postgres')(
    'a session never compiles a statement, because a table read whole looks too expensive',
    async () => {
      const { store } = await open();
      for (const db of [store.reader, store.writer]) {
        expect((await sql`show enable_seqscan`.execute(db)).rows).toEqual([
          { enable_seqscan: 'off' },
        ]);
        expect((await sql`show jit`.execute(db)).rows).toEqual([{ jit: 'off' }]);
      }
    },
  );
});

eachDatabase('a connection', (create, dialect) => {
  test.runIf(dialect === 'postgres')(
    'a connection that was not free in time is a refusal, so that no request passes uncounted',
    async () => {
      const pool = new Pool({ connectionString: await create({ isMigrated: false }), max: 1 });
      const held = await pool.connect();
      onTestFinished(async () => {
        held.release();
        await pool.end();
      });
      pool.options.connectionTimeoutMillis = 1;
      const failure = await pool.connect().catch(mapPostgresFailure);
      expect(failure).toMatchObject({ code: 'connections_exhausted' });
      expect(isUnavailable(failure)).toBe(true);
    },
  );

  test.runIf(dialect === 'postgres')(
    'a connection that refuses to write, as that to a standby, is not used again',
    async () => {
      // Three: one of each kind, so that the next read would use the same.
      const store = await openStore(await create(), { connectionsMax: 3 });
      onTestFinished(() => store.close());
      const connection = async () =>
        (await sql`select pg_backend_pid() as pid`.execute(store.reader)).rows;
      const first = await connection();
      expect(await connection()).toEqual(first);
      await expect(store.reader.deleteFrom('prompts').execute()).rejects.toThrow('read-only');
      expect(await connection()).not.toEqual(first);
    },
  );

  test.runIf(dialect === 'postgres')(
    'a connection whose statement got no response is not used again',
    async () => {
      const wire = await startWire(await create());
      // Three: one of each kind, so that the next read would use the same.
      const store = await openStore(wire.url, { connectionsMax: 3 });
      onTestFinished(() => store.close());
      const read = () => store.reader.selectFrom('workspaces').select('id').execute();
      expect(await read()).toEqual([]);
      wire.freeze();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const refused = read().catch((error: Error) => error.message);
      await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
      await vi.advanceTimersByTimeAsync(9000);
      expect(await refused).toContain('Query read timeout');
      vi.useRealTimers();
      wire.thaw();
      expect(await read()).toEqual([]);
    },
  );
});
