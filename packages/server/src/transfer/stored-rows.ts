import { CompiledQuery, sql } from 'kysely';
import type { Kysely } from 'kysely';
import { isCells } from './cells.ts';
import type { Cells, Scalar } from './cells.ts';
import type { DataTables } from '../storage/schema.ts';
import type { TableSpec } from './resource.ts';

/** Rows of one workspace in one table. */
export interface StoredRows {
  /** The rows that have one of these values in a column; at most a batch of values. */
  select(column: string, values: readonly Scalar[]): Promise<Cells[]>;
  /** Writes rows, over those with the same key. Every column of each must be given. */
  upsert(rows: readonly Cells[]): Promise<void>;
}

/**
 * Reads and writes whole batches. A statement is built once for each number of rows: building it
 * anew costs more than running it.
 */
export function storedRows(
  db: Kysely<DataTables>,
  { name, columns, key, fixed = {} }: TableSpec,
  {
    workspaceId,
    booleans,
    batchRows,
  }: { workspaceId: string; booleans: ReadonlySet<string>; batchRows: number },
): StoredRows {
  const written = [...columns, ...Object.keys(fixed)];
  const compiled = new Map<string, CompiledQuery>();

  return { select, upsert };

  async function select(column: string, values: readonly Scalar[]): Promise<Cells[]> {
    const distinct = [...new Set(values)];
    const [first] = distinct;
    if (first === undefined) return [];
    // Filled up to a whole batch, so that the statement stays the same.
    const filled = Array.from({ length: batchRows }, (_, index) => distinct[index] ?? first);
    const query = reuse(column, () => selectStatement(column));
    const { rows } = await db.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(query.sql, [workspaceId, ...filled]),
    );
    return rows.map((row) => fromDatabase(row, booleans));
  }

  function selectStatement(column: string): ReturnType<typeof sql> {
    const values = Array.from({ length: batchRows }, () => null);
    return sql`
      select ${sql.join(columns.map((each) => sql.ref(each)))}
      from ${sql.table(name)}
      where workspace_id = ${workspaceId} and ${sql.ref(column)} in (${sql.join(values)})`;
  }

  async function upsert(rows: readonly Cells[]): Promise<void> {
    if (rows.length === 0) return;
    const parameters = rows.flatMap((row) => [
      workspaceId,
      ...written.map((column) => fixed[column] ?? row[column] ?? null),
    ]);
    const query = reuse(`upsert ${rows.length}`, () => upsertStatement(rows.length));
    await db.executeQuery(CompiledQuery.raw(query.sql, parameters));
  }

  function upsertStatement(count: number): ReturnType<typeof sql> {
    const row = sql`(${sql.join([workspaceId, ...written.map(() => null)])})`;
    const changed = written.filter((column) => !key.columns.includes(column));
    return sql`
      insert into ${sql.table(name)} (${sql.join(['workspace_id', ...written].map((each) => sql.ref(each)))})
      values ${sql.join(Array.from({ length: count }, () => row))}
      on conflict (${sql.join(['workspace_id', ...key.columns].map((each) => sql.ref(each)))})
      do update set ${sql.join(
        changed.map((each) => sql`${sql.ref(each)} = ${sql.ref(`excluded.${each}`)}`),
      )}`;
  }

  function reuse(what: string, build: () => ReturnType<typeof sql>): CompiledQuery {
    const known = compiled.get(what);
    if (known !== undefined) return known;
    const query = build().compile(db);
    compiled.set(what, query);
    return query;
  }
}

/** SQLite has no booleans. */
export function fromDatabase(row: Record<string, unknown>, booleans: ReadonlySet<string>): Cells {
  const cells: Record<string, unknown> = { ...row };
  for (const column of booleans) {
    if (typeof cells[column] === 'number') cells[column] = cells[column] === 1;
  }
  if (!isCells(cells)) throw new TypeError('A stored row holds what no cell may');
  return cells;
}
