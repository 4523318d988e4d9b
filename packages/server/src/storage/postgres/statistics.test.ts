import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { aWorkspace } from '../../../test/answers/answers.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { DataTables } from '../schema.ts';
import type { Store } from '../store.ts';
import { writeWorkspace } from '../write.ts';

eachStore('the figures by which PostgreSQL plans', (open, dialect) => {
  test.runIf(dialect === 'postgres')(
    'the planner’s statistics fit a table into which much was written, and are left alone otherwise',
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      await writeHits(store, workspaceId, { from: 0, count: 100 });
      expect(await countedRows(store)).toBe(-1);
      await writeHits(store, workspaceId, { from: 100, count: 10_001 });
      expect(await countedRows(store)).toBe(10_101);
    },
  );

  test.runIf(dialect === 'postgres')(
    'the planner’s statistics fit rows that a transaction has written itself and looks up by their ids',
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const ids = Array.from({ length: 200 }, (_, index) => String(index));
      await writeWorkspace(store, workspaceId, async (transaction) => {
        for (let from = 0; from < 40_000; from += 2000) {
          await insertHits(transaction, workspaceId, { from, count: 2000 });
        }
        const lookup = transaction
          .selectFrom('hits')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('id', 'in', ids);
        expect(JSON.stringify(await lookup.explain('text'))).toContain('hits_key');
        return { hasChanged: true };
      });
    },
  );
});

async function writeHits(
  store: Store,
  workspaceId: string,
  rows: { from: number; count: number },
): Promise<void> {
  await writeWorkspace(store, workspaceId, async (transaction) => {
    await insertHits(transaction, workspaceId, rows);
    return { hasChanged: true };
  });
}

async function insertHits(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { from, count }: { from: number; count: number },
): Promise<void> {
  await sql`
      insert into hits
        (workspace_id, id, bot_name, bot_company, category, path, method, status, verification, hit_at)
      select ${workspaceId}, number, 'GPTBot', 'OpenAI', 'crawler', '/', 'GET', 200, 'verified',
        '2026-11-20T12:34:56.789Z'
      from generate_series(${sql.lit(from)}, ${sql.lit(from + count - 1)}) as number
    `.execute(transaction);
}

/** Rows of the table at its last `analyze`, or -1 if there was none. */
async function countedRows(store: Store): Promise<number> {
  const { rows } = await sql<{ reltuples: number }>`
    select reltuples from pg_class where oid = 'hits'::regclass
  `.execute(store.reader);
  return Number(rows[0]?.reltuples);
}
