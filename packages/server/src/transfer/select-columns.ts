import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { TableSpec } from './resource.ts';

/** Selects columns of a workspace's rows of one table. */
export function selectColumns(
  table: TableSpec['name'],
  columns: readonly string[],
  workspaceId: string,
): RawBuilder<unknown> {
  return sql`
    select ${sql.join(columns.map((column) => sql.ref(column)))}
    from ${sql.table(table)} where workspace_id = ${workspaceId}`;
}
