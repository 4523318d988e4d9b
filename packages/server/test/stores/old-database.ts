import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely';
import { Pool } from 'pg';
import { accessMigrations, dataMigrations } from '../../src/storage/migrations/all-migrations.ts';
import { postgresTypes } from '../../src/storage/migrations/migration.ts';
import { databaseFiles } from '../../src/storage/sqlite/files/files.ts';
import { openHandle } from '../../src/storage/sqlite/handle.ts';
import { createKyselyDriver } from '../../src/storage/sqlite/kysely-driver.ts';
import { migrateFile } from '../../src/storage/sqlite/migrate.ts';
import type { Dialect } from './stores.ts';

type Tables = Readonly<
  Record<string, ReadonlyArray<Readonly<Record<string, string | number | null>>>>
>;

/** Makes a database as it was after so many migrations of the data, with these rows by table. */
export async function restoreDatabase(
  url: string,
  dialect: Dialect,
  { migrations, tables }: { migrations: number; tables: Tables },
): Promise<void> {
  const old = dataMigrations.slice(0, migrations);
  if (dialect === 'sqlite') {
    const files = databaseFiles(url.replace('file:', ''));
    await migrateFile(files.access, accessMigrations);
    await migrateFile(files.data, old);
    const database = createKyselyDriver(openHandle(files.data));
    return insertRows(new Kysely<unknown>({ dialect: new SqliteDialect({ database }) }), tables);
  }
  const pool = new Pool({ connectionString: url });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  for (const migration of old) await migration.up(db, postgresTypes, 'postgres');
  await sql`create table schema_versions (part text primary key, version integer not null)`.execute(
    db,
  );
  await sql`insert into schema_versions (part, version) values ('data', ${old.length})`.execute(db);
  return insertRows(db, tables);
}

async function insertRows(db: Kysely<unknown>, tables: Tables): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
      const values = sql.join(Object.values(row));
      await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(db);
    }
  }
  await db.destroy();
}
