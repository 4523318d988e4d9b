import { CompiledQuery, sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import { isCells } from './cells.ts';
import type { Cells, Scalar } from './cells.ts';
import { inChunks } from '../storage/chunks.ts';
import type { DataTables } from '../storage/schema.ts';
import type { TableSpec } from './resource.ts';
import { keyOf } from './table-key.ts';

/** Rows of one workspace in one table. */
export interface StoredRows {
  /** The rows that have one of these values in a column; at most a batch of values. */
  select(column: string, values: readonly Scalar[]): Promise<Cells[]>;
  /** Writes those rows that nothing is in the way of; returns their keys. Every column must be given. */
  insert(rows: readonly Cells[]): Promise<ReadonlySet<string>>;
  /** Writes rows, over those with the same key. Every column of each must be given. */
  upsert(rows: readonly Cells[]): Promise<void>;
}

/**
 * Reads and writes whole batches. A statement is built once for each number of rows, of which there
 * are few: building it anew costs more than running it.
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

  return { select, insert, upsert };

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

  function selectStatement(column: string): RawBuilder<unknown> {
    const values = Array.from({ length: batchRows }, () => null);
    return sql`
      select ${references(columns)}
      from ${sql.table(name)}
      where workspace_id = ${workspaceId} and ${sql.ref(column)} in (${sql.join(values)})`;
  }

  async function insert(rows: readonly Cells[]): Promise<ReadonlySet<string>> {
    const keys = new Set<string>();
    for (const piece of inChunks(rows, batchRows)) {
      for (const row of await insertPiece(piece)) keys.add(String(keyOf(row, key)));
    }
    return keys;
  }

  async function insertPiece(
    rows: readonly Cells[],
  ): Promise<ReadonlyArray<Record<string, unknown>>> {
    const { sql: text } = reuse(
      `insert ${rows.length}`,
      () => sql`
      ${insertStatement(rows.length)}
      on conflict do nothing
      returning ${references(key.columns)}`,
    );
    const query = CompiledQuery.raw(text, parameters(rows));
    return (await db.executeQuery<Record<string, unknown>>(query)).rows;
  }

  async function upsert(rows: readonly Cells[]): Promise<void> {
    for (const piece of inChunks(rows, batchRows)) await upsertPiece(piece);
  }

  async function upsertPiece(rows: readonly Cells[]): Promise<void> {
    const changed = written.filter((column) => !key.columns.includes(column));
    const { sql: text } = reuse(
      `upsert ${rows.length}`,
      () => sql`
      ${insertStatement(rows.length)}
      on conflict (${references(['workspace_id', ...key.columns])}) do update set
      ${sql.join(changed.map((each) => sql`${sql.ref(each)} = ${sql.ref(`excluded.${each}`)}`))}`,
    );
    await db.executeQuery(CompiledQuery.raw(text, parameters(rows)));
  }

  function insertStatement(count: number): RawBuilder<unknown> {
    const row = sql`(${sql.join([workspaceId, ...written.map(() => null)])})`;
    return sql`
      insert into ${sql.table(name)} (${references(['workspace_id', ...written])})
      values ${sql.join(Array.from({ length: count }, () => row))}`;
  }

  function parameters(rows: readonly Cells[]): Scalar[] {
    return rows.flatMap((row) => [
      workspaceId,
      ...written.map((column) => fixed[column] ?? row[column] ?? null),
    ]);
  }

  function reuse(what: string, build: () => RawBuilder<unknown>): CompiledQuery {
    const known = compiled.get(what);
    if (known !== undefined) return known;
    const query = build().compile(db);
    compiled.set(what, query);
    return query;
  }
}

function references(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
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
