import { allTables } from './schema.ts';
import type { Table } from './tables/table.ts';

/**
 * Every table with rows of workspaces by part of the database, so that removing a workspace misses
 * none. `workspaces` itself is not included, because its id is in another column.
 */
export const workspaceTables = {
  data: namesOf(allTables.data, isOfWorkspace),
  access: namesOf(allTables.access, isOfWorkspace),
  ledger: namesOf(allTables.ledger, isOfWorkspace),
};

/** The tables that Citus distributes by `workspace_id`, and those that it copies to every node. */
export const placedTables = {
  distributed: Object.values(allTables).flatMap((part) => namesOf(part, isDistributed)),
  reference: Object.values(allTables).flatMap((part) =>
    namesOf(part, (table) => !isDistributed(table)),
  ),
};

function isOfWorkspace({ columns }: Table): boolean {
  return 'workspace_id' in columns;
}

function isDistributed(table: Table): boolean {
  return isOfWorkspace(table) && table.isReference !== true;
}

/** Tables that only SQLite has follow others by triggers. */
function namesOf(
  part: Readonly<Record<string, Table>>,
  isWanted: (table: Table) => boolean,
): readonly string[] {
  return Object.entries(part)
    .filter(([, table]) => table.only !== 'sqlite' && isWanted(table))
    .map(([name]) => name);
}
