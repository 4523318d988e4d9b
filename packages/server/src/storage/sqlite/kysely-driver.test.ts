import { Kysely, SqliteDialect, sql } from 'kysely';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Refusal } from '../../refusals.ts';
import { mapSqliteFailure } from './failures.ts';
import { createKyselyDriver } from './kysely-driver.ts';

test('a transaction that meets a full disk fails with that, and the next one is not in its way', async () => {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: createKyselyDriver(database, { isWriter: true }) }),
  });
  await sql`create table notes (text text)`.execute(db);
  database.exec('pragma max_page_count = 20');
  const write = (bytes: number): Promise<unknown> =>
    db
      .transaction()
      .execute((transaction) =>
        sql`insert into notes values (${'x'.repeat(bytes)})`.execute(transaction),
      );
  const failure = await write(1_000_000).catch(mapSqliteFailure);
  expect(failure).toEqual(new Refusal('database_disk_full', {}));
  await write(10);
  expect(database.prepare('select count(*) as count from notes').get()).toMatchObject({ count: 1 });
  await db.destroy();
});

test('a statement whose parameters are rows of values runs for each of them, and counts them all', async () => {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: createKyselyDriver(database, { isWriter: true }) }),
  });
  await sql`create table notes (text text, isRead integer)`.execute(db);
  const { numAffectedRows } = await db.executeQuery({
    ...sql`insert into notes values (?, ?)`.compile(db),
    parameters: [
      ['a', true],
      ['b', false],
      ['c', null],
    ],
  });
  expect(numAffectedRows).toBe(3n);
  expect((await sql`select text, isRead from notes`.execute(db)).rows).toEqual([
    { text: 'a', isRead: 1 },
    { text: 'b', isRead: 0 },
    { text: 'c', isRead: null },
  ]);
  await db.destroy();
});
