import { sql } from 'kysely';
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import { isCells } from './cells.ts';
import type { Cells, Scalar } from './cells.ts';
import { pad } from './chunks.ts';
import { confirmRows } from './record-import.ts';
import { allTables } from './schema.ts';
import type { DataTables } from './schema.ts';
import type { Store } from './store.ts';

/** The facts about a table that an import needs. */
export interface StoredTable {
  readonly name: keyof DataTables;
  /** Columns that rows have, without `workspace_id`. */
  readonly columns: readonly string[];
  /** Two rows with equal key columns are the same row. */
  readonly key: { readonly columns: readonly string[] };
  /** Fixed values that every written row gets. */
  readonly fixed?: Cells;
}

/** Rows of one workspace in one table. */
export type StoredRows = ReturnType<typeof storedRows>;

/** Reads and writes rows of one workspace in batches. */
export function storedRows(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  db: Kysely<DataTables>,
  { name, columns, key, fixed = {} }: StoredTable,
  { workspaceId, importId }: { workspaceId: string; importId: number },
) {
  const booleans = booleansOf(name);
  const fixedCells: Cells = { workspace_id: workspaceId, ...fixed };
  const cellNames = [...Object.keys(fixedCells), ...columns];
  const changed = cellNames.filter((column) => ![...key.columns, 'workspace_id'].includes(column));
  // Compiling a statement takes longer than running it.
  const selects = new Map<string, CompiledQuery>();
  const insertRows = rowStatement(db, (rows: readonly Cells[]) =>
    sql<Record<string, unknown>>`
      ${insertInto(rows, 'import_id')} on conflict do nothing returning ${references(key.columns)}`.compile(
      db,
    ),
  );
  const upsertRows = rowStatement(db, (rows: readonly Cells[]) =>
    sql`
      ${insertInto(rows, 'later_import_id')}
      on conflict (${references(['workspace_id', ...key.columns])}) do update set
      ${sql.join(changed.map((each) => sql`${sql.ref(each)} = ${sql.ref(`excluded.${each}`)}`))},
      later_import_id = coalesce(${sql.table(name)}.later_import_id, excluded.later_import_id)`.compile(
      db,
    ),
  );

  return {
    /** Selects the rows that have one of these values in a column. Takes at most a batch of values. */
    select: async (column: string, values: readonly Scalar[]) => {
      if (values.length === 0) return [];
      const parameters = pad([...new Set(values)]);
      const what = `${column} ${parameters.length}`;
      const query = selects.get(what) ?? selectFrom(column, parameters).compile(db);
      selects.set(what, query);
      const { rows } = await db.executeQuery<Record<string, unknown>>({
        ...query,
        parameters: [workspaceId, ...parameters],
      });
      return rows.map((row) => fromDatabase(row, booleans));
    },
    /** Inserts the rows that do not conflict with stored ones, with every column. Returns their keys. */
    insert: async (rows: readonly Cells[]): Promise<ReadonlySet<string>> =>
      new Set((await insertRows(rows.map(completeRow))).map((row) => String(rowKeyOf(row, key)))),
    /** Writes rows with every column, and replaces stored ones with the same key. */
    upsert: async (rows: readonly Cells[]) => void (await upsertRows(rows.map(completeRow))),
    /** Marks rows of earlier imports as part of this one, too. Takes at most a batch of ids. */
    confirm: (ids: readonly string[]) => confirmRows(db, name, { workspaceId, ids, importId }),
  };

  function selectFrom(column: string, values: readonly Scalar[]): RawBuilder<unknown> {
    return sql`
      select ${references(columns)} from ${sql.table(name)}
      where workspace_id = ${workspaceId} and ${sql.ref(column)} in (${sql.join(values)})`;
  }

  function insertInto(rows: readonly Cells[], mark: string): RawBuilder<unknown> {
    const values = rows.map((row) => sql`(${sql.join(Object.values(row))})`);
    return sql`insert into ${sql.table(name)} (${references([...cellNames, mark])}) values ${sql.join(values)}`;
  }

  function completeRow(row: Cells): Cells {
    const cells: Record<string, Scalar> = {};
    for (const column of cellNames) cells[column] = fixedCells[column] ?? row[column] ?? null;
    return { ...cells, mark: importId };
  }
}

function references(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** A row's key as one text; undefined if a part of it is null or missing. */
export function rowKeyOf(
  row: Readonly<Record<string, unknown>>,
  { columns }: StoredTable['key'],
): string | undefined {
  const [first = ''] = columns;
  // Most keys are an id alone.
  if (columns.length === 1) {
    const value = row[first];
    return typeof value === 'string' ? value : undefined;
  }
  const values = columns.map((column) => row[column] ?? null);
  return values.includes(null) ? undefined : JSON.stringify(values);
}

/** The columns of a table that SQLite stores as numbers. */
function booleansOf(name: keyof DataTables): ReadonlySet<string> {
  const columns = Object.entries(allTables.data[name].columns);
  return new Set(columns.filter(([, { type }]) => type === 'boolean').map(([column]) => column));
}

/** Converts 0 and 1 of SQLite, which has no booleans. */
export function fromDatabase(row: Record<string, unknown>, booleans: ReadonlySet<string>): Cells {
  const cells: Record<string, unknown> = { ...row };
  for (const column of booleans) {
    if (typeof cells[column] === 'number') cells[column] = cells[column] === 1;
  }
  if (!isCells(cells)) throw new TypeError('A stored row holds what no cell may');
  return cells;
}
