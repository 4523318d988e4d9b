import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';
import { restoreFirst } from '../../../test/stores/first-database.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';
import { openStore } from '../open/open-store.ts';
import { createKyselyDriver } from '../sqlite/kysely-driver.ts';
import { migratePart } from './migration.ts';
import { schemaParts } from './schema-parts.ts';

const inList = '{"reason":"in_list","list":"openai/gptbot"}';
const refuted = '{"reason":"not_in_list","list":"openai/gptbot"}';
const never = '{"reason":"never_sent"}';

/** Day of November, host, operator, verdict and evidence. */
const stored = [
  [1, 'acme.com', 'OpenAI', 'verified', inList],
  [1, 'acme.com', 'Anthropic', 'verified', inList],
  [1, 'acme.com', 'OpenAI', 'spoofed', refuted],
  [2, 'acme.com', 'OpenAI', 'spoofed', refuted],
  [2, 'made.up', 'OpenAI', 'spoofed', refuted],
  [2, null, 'Google', 'spoofed', never],
  [3, 'acme.com', 'OpenAI', 'verified', inList],
  [4, 'acme.com', 'Anthropic', 'verified', inList],
  [4, 'half.example', 'OpenAI', 'verified', inList],
  [5, 'acme.com', 'OpenAI', 'spoofed', refuted],
  [5, 'half.example', 'OpenAI', 'spoofed', refuted],
  [6, 'half.example', 'OpenAI', 'verified', inList],
  [6, null, 'Google', 'verified', null],
] as const;

eachDatabase('a database with accusations of before', (create, dialect) => {
  test('accusations by lists and names are withdrawn by the upgrade, and those of tokens that never crawl stay', async () => {
    const url = await create({ isMigrated: false });
    const quoted = (value: string | null) => (value === null ? 'null' : `'${value}'`);
    const hits = stored.map(([day, host, operator, verification, evidence], index) => {
      const id = `hit-${String(index).padStart(2, '0')}`;
      const at = `2026-11-0${day}T12:00:00.000Z`;
      const bot = [id, host, 'Bot', operator, 'crawler', '/', 'GET', verification, at];
      return `(${['w', ...bot, '192.0.2.7', 'xxxxx.y', evidence].map(quoted).join(', ')})`;
    });
    const columns =
      'workspace_id, id, host, bot_name, bot_company, category, path, method, verification, hit_at, address, address_group, evidence';
    await restoreFirst(url, dialect, {
      data: `insert into hits (${columns}) values ${hits.join(', ')}`,
    });
    const store = await openStore(url);
    const rows = () =>
      store.writer
        .selectFrom('hits')
        .select(['verification', 'overruled_by'])
        .orderBy('id')
        .execute();
    const after = (await rows()).map(({ verification, overruled_by: by }, index) => [
      ...(stored[index]?.slice(0, 2) ?? []),
      verification,
      by,
    ]);
    const accused = after.filter((_, index) => stored[index]?.[3] === 'spoofed');
    expect(accused).toEqual([
      [1, 'acme.com', 'unverified', 'site_unproven'],
      [2, 'acme.com', 'unverified', 'site_unproven'],
      [2, 'made.up', 'unverified', 'site_unproven'],
      [2, null, 'spoofed', null],
      [5, 'acme.com', 'unverified', 'site_unproven'],
      [5, 'half.example', 'unverified', 'site_unproven'],
    ]);
    expect(after.filter((row) => row[2] === 'verified')).toHaveLength(7);
    await store.close();
  });
});

test('a day that an older version began to settle is counted again after the upgrade', async () => {
  const database = createKyselyDriver(new DatabaseSync(':memory:'));
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  await sql`create table unsettled_days (workspace_id text, day integer, state text)`.execute(db);
  await sql`insert into unsettled_days values ('w', 1, 'counted'), ('w', 2, 'nearby')`.execute(db);
  await migrateTo(db, 26);
  const { rows } = await sql`select day, state from unsettled_days order by day`.execute(db);
  expect(rows).toEqual([
    { day: 1, state: 'written' },
    { day: 2, state: 'written' },
  ]);
  await db.destroy();
});

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
  await migrateTo(db, 31);
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

/** Runs the one migration that makes this version. */
async function migrateTo(db: Kysely<unknown>, version: number): Promise<void> {
  const { oldest, migrations } = schemaParts.data;
  const part = { ...schemaParts.data, migrations: migrations.slice(0, version - oldest) };
  await migratePart(db, part, { version: version - 1, dialect: 'sqlite' });
}
