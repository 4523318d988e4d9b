import { allTables } from '../schema.ts';
import type { Columns, Table } from '../tables/table.ts';

/** A table that both databases store alike. */
export interface CopiedTable {
  readonly part: keyof typeof allTables;
  readonly name: string;
  readonly columns: Columns;
  /** Columns whose values no two rows share. */
  readonly key: readonly string[];
}

/**
 * The tables to copy. Left out are those of one database alone, and those that each stores in its own
 * way: the requests of the last hour, by which the quota is counted.
 */
export const copiedTables: readonly CopiedTable[] = (['data', 'access', 'ledger'] as const).flatMap(
  (part) =>
    Object.entries<Table>(allTables[part])
      .filter(([, table]) => table.only === undefined && table.sqlite?.columns === undefined)
      .map(([name, table]) => ({ part, name, columns: table.columns, key: keyOf(table) })),
);

/** The columns of the primary key, or of a unique index without a condition. */
function keyOf({ key, index = {}, columns }: Table): readonly string[] {
  if (key !== undefined) return key;
  const primary = Object.keys(columns).filter((name) => columns[name]?.isKey === true);
  if (primary.length > 0) return primary;
  const unique = Object.values(index).find((each) => each.isUnique && each.where === undefined);
  return (unique?.columns ?? []).map((column) => column.replace(/ .*/, ''));
}
