import { accessMigrations, dataMigrations, ledgerMigrations } from './migrations/all-migrations.ts';
import type { Migration } from './migrations/migration.ts';

/** The tables that exist after all of these migrations. */
export function tablesAfter(
  migrations: readonly Migration[],
): Pick<Migration, 'distributed' | 'reference'> {
  const dropped = new Set(migrations.flatMap((migration) => migration.dropped ?? []));
  const keep = (tables: readonly string[]) => tables.filter((table) => !dropped.has(table));
  return {
    distributed: migrations.flatMap(({ distributed }) => keep(distributed)),
    reference: migrations.flatMap(({ reference }) => keep(reference)),
  };
}

/**
 * Every table with rows of workspaces, derived from the migrations, so that removing a workspace
 * misses none. `workspaces` itself is not included, because its id is in another column.
 */
export const workspaceTables = {
  data: tablesAfter(dataMigrations).distributed,
  access: accessMigrations.flatMap(({ distributed, reference, withoutWorkspace = [] }) =>
    [...distributed, ...reference].filter((table) => !withoutWorkspace.includes(table)),
  ),
  ledger: tablesAfter(ledgerMigrations).distributed,
} as const;
