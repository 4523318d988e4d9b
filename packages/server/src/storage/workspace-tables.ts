import { accessMigrations, dataMigrations, ledgerMigrations } from './migrations/all.ts';

/**
 * Every table with rows of workspaces, taken from the migrations, so that removing a workspace
 * forgets none. `workspaces` itself has the id in another column and is not among them.
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
