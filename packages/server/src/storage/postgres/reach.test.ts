import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { call, newTenant, startApi } from '../../../test/servers/api.ts';
import { runCommand } from '../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';
import { startPooler } from '../../../test/stores/transaction-pooler.ts';
import { openStore } from '../open/open-store.ts';
import type { Store } from '../store.ts';

eachDatabase('behind a pooler in transaction mode', (create, dialect) => {
  test.runIf(dialect === 'postgres').for([true, false])(
    'everything is served and counted, and nothing prepared, where it ignores what a session sets: %s',
    async (ignoresParameters) => {
      const pooler = await startPooler(await create(), { ignoresParameters });
      const store = await openStore(pooler.url, { mayCreate: true });
      const { key } = await newTenant(store);
      const api = await startApi(store);
      const responses = await Promise.all(
        Array.from({ length: 12 }, () => call(api, '/api/v1/scores', { key })),
      );
      expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
      const left = responses.map(({ headers }) =>
        Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]),
      );
      expect(Math.min(...left)).toBe(288);
      expect(pooler.prepared).toEqual([]);
      expect(await sentStatement(store.reader)).toContain('workspace_id = $1');
      expect(await sentStatement(store.writer)).toContain('workspace_id = (select $1)');
      await store.close();
      const doctor = await runCommand(['doctor', '--database', pooler.url]);
      expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('pooler') });
    },
  );
});

/** A statement about a workspace, as it reached the database. */
async function sentStatement(db: Store['reader']): Promise<string> {
  const { rows } = await sql<{ query: string }>`
    select query from pg_stat_activity, (select 'a'::text as workspace_id) as one
    where pid = pg_backend_pid() and workspace_id = ${'a'}`.execute(db);
  return rows[0]?.query ?? '';
}
