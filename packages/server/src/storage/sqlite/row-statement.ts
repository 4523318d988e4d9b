import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';
import type { CompileRows, RowStatement } from '../store.ts';

/**
 * Runs a statement for one row, once per row: SQLite keeps a statement journal for a statement of a
 * hundred rows, which takes 50 % longer. The driver takes parameters that are rows
 * (`kysely-driver.ts`).
 */
export function createRowStatement<Row extends object, Returned>(
  db: Kysely<DataTables>,
  compile: CompileRows<Row, Returned>,
): RowStatement<Row, Returned> {
  let compiled: ReturnType<typeof compile> | undefined;

  return async function runForRows(rows) {
    if (rows.length === 0) return [];
    compiled ??= compile(rows.slice(0, 1));
    const parameters = rows.map(Object.values);
    return (await db.executeQuery<Returned>({ ...compiled, parameters })).rows;
  };
}
