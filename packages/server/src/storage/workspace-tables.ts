import { accessMigrations, dataMigrations, ledgerMigrations } from './migrations/all-migrations.ts';

/**
 * Every table with rows of workspaces, derived from the migrations, so that removing a workspace
 * misses none. `workspaces` itself is not included, because its id is in another column.
 */
const dropped = new Set(dataMigrations.flatMap((migration) => migration.dropped ?? []));

export const workspaceTables = {
  data: dataMigrations
    .flatMap((migration) => migration.distributed)
    .filter((table) => !dropped.has(table)),
  access: accessMigrations.flatMap(({ distributed, reference, withoutWorkspace = [] }) =>
    [...distributed, ...reference].filter((table) => !withoutWorkspace.includes(table)),
  ),
  ledger: ledgerMigrations.flatMap(({ distributed }) => distributed),
} as const;
