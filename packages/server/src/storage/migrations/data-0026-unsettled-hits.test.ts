import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';
import { createKyselyDriver } from '../sqlite/kysely-driver.ts';
import { unsettledHits } from './data-0026-unsettled-hits.ts';

test('a day that an older version began to settle is counted again after the upgrade', async () => {
  const database = createKyselyDriver(new DatabaseSync(':memory:'));
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  await sql`create table unsettled_days (workspace_id text, day integer, state text)`.execute(db);
  await sql`insert into unsettled_days values ('w', 1, 'counted'), ('w', 2, 'nearby')`.execute(db);
  await unsettledHits.up(db, 'sqlite');
  const { rows } = await sql`select day, state from unsettled_days order by day`.execute(db);
  expect(rows).toEqual([
    { day: 1, state: 'written' },
    { day: 2, state: 'written' },
  ]);
  await db.destroy();
});
