import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';
import { createKyselyDriver } from '../sqlite/kysely-driver.ts';
import { changeFeed } from './data-0031-changes.ts';

test('the rows of an older version are days of changes after the upgrade, each day of a workspace once', async () => {
  const database = createKyselyDriver(new DatabaseSync(':memory:'));
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  for (const [table, moment] of [
    ['runs', 'run_at'],
    ['scores', 'date'],
    ['hits', 'hit_at'],
  ] as const) {
    await sql`create table ${sql.table(table)} (workspace_id text, ${sql.ref(moment)} text)`.execute(
      db,
    );
  }
  await sql`insert into runs values ('a', '2026-11-19T06:00:00.000Z'), ('a', '2026-11-19T23:59:59.999Z'),
    ('a', '2026-11-20T00:00:00.000Z'), ('b', '2026-11-20T06:00:00.000Z')`.execute(db);
  await sql`insert into scores values ('a', '2026-11-19')`.execute(db);
  await sql`insert into hits values ('b', '2026-11-18T06:00:00.000Z')`.execute(db);
  await changeFeed.up(db, 'sqlite');
  const days = await sql`select * from change_days order by workspace_id, kind, date`.execute(db);
  expect(days.rows.map((row) => Object.values(Object(row)))).toEqual([
    ['a', 'answers', '2026-11-19', 1],
    ['a', 'answers', '2026-11-20', 1],
    ['a', 'detections', '2026-11-19', 1],
    ['a', 'detections', '2026-11-20', 1],
    ['a', 'scores', '2026-11-19', 1],
    ['b', 'answers', '2026-11-20', 1],
    ['b', 'detections', '2026-11-20', 1],
    ['b', 'hits', '2026-11-18', 1],
  ]);
  const numbers = await sql`select workspace_id, number from change_numbers order by 1`.execute(db);
  expect(numbers.rows).toEqual([
    { workspace_id: 'a', number: 1 },
    { workspace_id: 'b', number: 1 },
  ]);
  await db.destroy();
});
