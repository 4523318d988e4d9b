import { SqliteAdapter } from 'kysely';
import type { CompiledQuery, Kysely } from 'kysely';
import { inPieces } from './few-shapes.ts';
import type { DataTables } from './schema.ts';

/** Rows that PostgreSQL is given at once: a round trip each would cost more than the rows. */
const rowsMax = 100;

/**
 * Makes what runs one statement over any number of rows, such as an insert, in the form that suits the
 * database. `compile` builds it for the rows that it is given, which have the same fields in the same
 * order; its parameters are their values and nothing else. Building costs more than running, so it is
 * asked once for each number of rows. Resolves to the rows that the statement returns.
 *
 * SQLite runs the statement of one row again and again: one of a hundred rows keeps a journal of its
 * own, so that it can be undone by itself, and takes half as long again.
 */
export function createRowStatement<Row extends object, Returned = unknown>(
  db: Kysely<DataTables>,
  compile: (rows: readonly Row[]) => CompiledQuery<Returned>,
): (rows: readonly Row[]) => Promise<Returned[]> {
  const compiled = new Map<number, CompiledQuery<Returned>>();
  const isRepeated = db.getExecutor().adapter instanceof SqliteAdapter;

  return async function runForRows(rows) {
    if (rows.length === 0) return [];
    // `kyselyDatabase` takes parameters that are rows.
    if (isRepeated) return run(rows.slice(0, 1), rows.map(Object.values));
    const returned: Returned[][] = [];
    for (const piece of inPieces(rows, rowsMax)) {
      returned.push(await run(piece, piece.flatMap(Object.values)));
    }
    return returned.flat();
  };

  async function run(shape: readonly Row[], parameters: readonly unknown[]): Promise<Returned[]> {
    const query = compiled.get(shape.length) ?? compile(shape);
    compiled.set(shape.length, query);
    const { rows } = await db.executeQuery<Returned>({ ...query, parameters });
    return rows;
  }
}
