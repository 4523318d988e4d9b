import type { Kysely } from 'kysely';
import { inChunks } from '../chunks.ts';
import type { DataTables } from '../schema.ts';
import type { CompileRows, RowStatement } from '../store.ts';

/** Most rows in one statement. A round trip for each row would cost more than the row. */
const rowsMax = 200;

/** Runs one statement for many rows, compiled once for each number of rows. */
export function createRowStatement<Row extends object, Returned>(
  db: Kysely<DataTables>,
  compile: CompileRows<Row, Returned>,
): RowStatement<Row, Returned> {
  const compiled = new Map<number, ReturnType<typeof compile>>();

  return async function runForRows(rows) {
    const returned: Returned[] = [];
    for (const chunk of inChunks(rows, rowsMax)) {
      const query = compiled.get(chunk.length) ?? compile(chunk);
      compiled.set(chunk.length, query);
      const parameters = chunk.flatMap(Object.values);
      const { rows: found } = await db.executeQuery<Returned>({ ...query, parameters });
      for (const row of found) returned.push(row);
    }
    return returned;
  };
}
