import { readFileSync } from 'node:fs';
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../../../test/command-line.ts';
import { eachDatabase } from '../../../../test/stores.ts';
import type { Dialect } from '../../../../test/stores.ts';
import { readEvidence } from '../../../crawlers/hits/hit.ts';
import { openStore } from '../../open/open-store.ts';
import { databaseFiles } from '../../sqlite/files/files.ts';
import { openHandle } from '../../sqlite/handle.ts';
import { createKyselyDriver } from '../../sqlite/kysely-driver.ts';
import { migrateFile } from '../../sqlite/migrate.ts';
import { accessMigrations, dataMigrations } from '../all-migrations.ts';
import { postgresTypes } from '../migration.ts';

/** The rows of a database that the version before made of real commands, by table. */
const before = z
  .record(z.string(), z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))))
  .parse(
    JSON.parse(
      readFileSync(
        new URL('../../../../test/crawlers-database-0003.json', import.meta.url),
        'utf8',
      ),
    ),
  );

eachDatabase('a database of the version before', (create, dialect) => {
  test('a database of the version before keeps its hits, calls nobody spoofed who is in doubt by today’s rules, and reads its logs on', async () => {
    const url = await create({ isMigrated: false });
    await restore(url, dialect);
    const store = await openStore(url);
    const rows = await store.writer
      .selectFrom('hits')
      .select(['bot_name', 'address', 'verification', 'evidence', 'address_group'])
      .orderBy('hit_at')
      .execute();
    expect(rows).toHaveLength(before['hits']?.length ?? 0);
    expect(
      rows.map(({ bot_name: bot, verification, evidence }) =>
        [bot, verification, readEvidence(evidence)?.shown.reason].join(' '),
      ),
    ).toEqual([
      'GPTBot unverified list_too_old',
      'GPTBot verified in_list',
      // Within the time of the list that accuses it.
      'GPTBot spoofed not_in_list',
      'Bytespider unverified no_published_means',
      'GrokBot unverified no_published_means',
      'DeepSeekBot unverified no_published_means',
      'ClaudeBot unverified private_address',
      'Google-Extended spoofed never_sent',
      'Amazonbot unverified no_list',
      'ClaudeBot unverified proxy_address',
      'Bytespider unverified no_published_means',
      'ClaudeBot unverified none_verified',
      'ClaudeBot unverified none_verified',
      'GPTBot unverified list_pending',
    ]);
    // Another hour has another group, and an address that is no client's has none.
    const groups = rows.map(({ address_group: group }) => group?.slice(0, 5) ?? null);
    expect(new Set(groups.slice(1, 6)).size).toBe(1);
    expect([groups[6], groups[9]]).toEqual([null, null]);
    const [log] = await store.writer.selectFrom('log_files').selectAll().execute();
    expect(log?.fingerprint).toBe(before['log_files']?.[0]?.['tail']);
    await store.close();
    const words = 'hits verify --workspace acme --no-dns --database'.split(' ');
    const verified = await runCommand([...words, url]);
    expect(verified).toMatchObject({ code: 0 });
  });
});

async function restore(url: string, dialect: Dialect): Promise<void> {
  const old = dataMigrations.slice(0, 3);
  if (dialect === 'sqlite') {
    const files = databaseFiles(url.replace('file:', ''));
    await migrateFile(files.access, accessMigrations);
    await migrateFile(files.data, old);
    const database = createKyselyDriver(openHandle(files.data));
    return insertRows(new Kysely<unknown>({ dialect: new SqliteDialect({ database }) }));
  }
  const pool = new Pool({ connectionString: url });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  for (const migration of old) await migration.up(db, postgresTypes, 'postgres');
  await sql`create table schema_versions (part text primary key, version integer not null)`.execute(
    db,
  );
  await sql`insert into schema_versions (part, version) values ('data', ${old.length})`.execute(db);
  return insertRows(db);
}

async function insertRows(db: Kysely<unknown>): Promise<void> {
  for (const [table, rows] of Object.entries(before)) {
    for (const row of rows) {
      const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
      const values = sql.join(Object.values(row));
      await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(db);
    }
  }
  await db.destroy();
}
