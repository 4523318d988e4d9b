import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import type { MarkedTable } from './orphans.ts';

/** Rows that an import created but that stay when it is reverted, all for the same reason. */
export interface KeptRows {
  readonly table: MarkedTable;
  /**
   * Another import that also has the rows; null if they were changed since, or other rows need
   * them.
   */
  readonly importId: number | null;
  readonly rows: number;
  /** Ids of the first such rows. */
  readonly ids: readonly string[];
}

const idsMax = 10;

/** Finds the rows that an import created and that still exist. `last` is explained at `isOrphan`. */
export async function findKeptRows(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { table, importId, last }: { table: MarkedTable; importId: number; last: number },
): Promise<KeptRows[]> {
  const reason = sql`
    case when later_import_id in (
      select imports.id from imports where workspace_id = ${workspaceId} and reverted_at is null)
    then later_import_id when later_import_id <= ${last} then cast(${last} as integer) end`;
  const { rows } = await sql<{ importId: number | null; rows: number }>`
    select ${reason} as "importId", count(*) as "rows" from ${sql.table(table)}
    where workspace_id = ${workspaceId} and import_id = ${importId}
    group by 1 order by 1`.execute(transaction);
  const keptRows: KeptRows[] = [];
  for (const group of rows) {
    const result = await sql<{ id: string }>`
      select id from ${sql.table(table)}
      where workspace_id = ${workspaceId} and import_id = ${importId}
        and coalesce(${reason}, 0) = ${group.importId ?? 0}
      order by id limit ${sql.lit(idsMax)}`.execute(transaction);
    keptRows.push({ table, ...group, ids: result.rows.map(({ id }) => id) });
  }
  return keptRows;
}
