import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../test/commands/command-line.ts';
import { readCatalogue } from '../../test/stores/catalogue.ts';
import { restoreFirst } from '../../test/stores/first-database.ts';
import { createPostgres, eachDatabase } from '../../test/stores/stores.ts';
import type { Dialect } from '../../test/stores/stores.ts';
import { migratePart, statements } from './migrations/migration.ts';
import type { SchemaPart } from './migrations/migration.ts';
import { openStore } from './open/open-store.ts';
import { createKyselyDriver } from './sqlite/kysely-driver.ts';
import { integer, table, text } from './tables/table.ts';

eachDatabase('a database of the first schema', (create, dialect) => {
  test('a database of the first schema becomes what is declared, with its rows', async () => {
    const old = await create({ isMigrated: false });
    await restoreFirst(old, dialect);
    const { code, stdout, stderr } = await runCommand(['workspace', 'list', '--database', old]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('acme');
    expect(await readCatalogues(old)).toEqual(await readCatalogues(await create()));
  });

  test('a database older than the first schema is refused', async () => {
    const old = await create({ isMigrated: false });
    await restoreFirst(old, dialect, { version: 1 });
    const { code, stderr } = await runCommand(['workspace', 'list', '--database', old]);
    expect(code).toBe(1);
    expect(stderr).toContain('Export its workspaces with the version that wrote it');
  });

  test('a migration runs on older tables, and not on new ones', async () => {
    const [older, newer] = [await openEmpty(dialect), await openEmpty(dialect)];
    await sql`create table things (id integer not null, constraint things_key primary key (id))`.execute(
      older,
    );
    await migratePart(older, things, { version: 7, dialect });
    await migratePart(newer, things, { version: 0, dialect });
    expect(await readCatalogue(older, dialect)).toEqual(await readCatalogue(newer, dialect));
  });
});

const things: SchemaPart = {
  tables: {
    things: table({ key: ['id'], columns: { id: integer(), name: text().default("''") } }),
  },
  oldest: 7,
  migrations: [statements("alter table things add column name {text} not null default ''")],
};

/** The catalogues of all parts of a database, migrated. */
async function readCatalogues(url: string): Promise<ReadonlyArray<readonly string[]>> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const ledger = await store.ledger({ mayCreate: true });
  return [
    await readCatalogue(store.reader, store.dialect),
    await readCatalogue(store.access, store.dialect),
    ledger === undefined ? [] : await readCatalogue(ledger.db, store.dialect),
  ];
}

async function openEmpty(dialect: Dialect): Promise<Kysely<unknown>> {
  if (dialect === 'sqlite') {
    const database = createKyselyDriver(new DatabaseSync(':memory:'));
    return new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  }
  const url = await createPostgres(onTestFinished, { isMigrated: false });
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url }) }),
  });
  onTestFinished(() => db.destroy());
  return db;
}
