import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { readCatalogue } from '../../test/stores/catalogue.ts';
import { createPostgres, eachDatabase } from '../../test/stores/stores.ts';
import type { Dialect } from '../../test/stores/stores.ts';
import { accessMigrations, dataMigrations, ledgerMigrations } from './migrations/all-migrations.ts';
import { postgresTypes, sqliteTypes } from './migrations/migration.ts';
import { allTables } from './schema.ts';
import { createKyselyDriver } from './sqlite/kysely-driver.ts';
import { createStatements } from './tables/create-statements.ts';
import { placedTables, workspaceTables } from './workspace-tables.ts';

const migrations = { data: dataMigrations, access: accessMigrations, ledger: ledgerMigrations };
const every = Object.values(migrations).flat();
const parts = ['data', 'access', 'ledger'] as const;

eachDatabase('the declared tables', (_, dialect) => {
  test('the declared tables are those that the migrations make', async () => {
    const [declared, migrated] = [await openEmpty(dialect), await openEmpty(dialect)];
    for (const part of parts) {
      for (const statement of createStatements(allTables[part], dialect)) {
        await sql.raw(statement).execute(declared[part]);
      }
      const types = dialect === 'sqlite' ? sqliteTypes : postgresTypes;
      for (const { up } of migrations[part]) await up(migrated[part], types, dialect);
    }
    for (const part of parts) {
      const catalogue = await readCatalogue(declared[part], dialect);
      expect(catalogue.length).toBeGreaterThan(0);
      expect(catalogue).toEqual(await readCatalogue(migrated[part], dialect));
    }
  });
});

test('the lists for Citus and of a workspace are those that the migrations give', () => {
  const dropped = new Set(every.flatMap((migration) => migration.dropped ?? []));
  const keep = (tables: readonly string[]) => tables.filter((table) => !dropped.has(table));
  expect(placedTables.distributed.toSorted()).toEqual(
    keep(every.flatMap(({ distributed }) => distributed)).toSorted(),
  );
  expect(placedTables.reference.toSorted()).toEqual(
    keep(every.flatMap(({ reference }) => reference)).toSorted(),
  );
  for (const part of parts) {
    const unowned = new Set(['workspaces', 'operator_files', 'operator_checks']);
    const ofPart = migrations[part].flatMap(({ distributed, reference, withoutWorkspace = [] }) =>
      [...distributed, ...reference].filter((table) => !withoutWorkspace.includes(table)),
    );
    expect(workspaceTables[part].toSorted()).toEqual(
      keep(ofPart.filter((table) => !unowned.has(table))).toSorted(),
    );
  }
});

/** Empty databases for the parts: on SQLite each is a file of its own. */
async function openEmpty(
  dialect: Dialect,
): Promise<Readonly<Record<(typeof parts)[number], Kysely<unknown>>>> {
  if (dialect === 'sqlite') {
    return { data: openMemory(), access: openMemory(), ledger: openMemory() };
  }
  const url = await createPostgres(onTestFinished, { isMigrated: false });
  const pool = new Pool({ connectionString: url });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => db.destroy());
  return { data: db, access: db, ledger: db };
}

function openMemory(): Kysely<unknown> {
  const database = createKyselyDriver(new DatabaseSync(':memory:'));
  return new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
}
