import type { Format } from '../rows/format.ts';
import { refuseIfStopped } from '../rows/refuse-if-stopped.ts';
import type { Store } from '../storage/store.ts';
import { rowFormat } from './format-rows.ts';
import type { FileCells } from './format-rows.ts';
import type { OrderTerm, Resource } from './resource.ts';
import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import type { Cells, Scalar } from '../storage/cells.ts';
import { fieldsOf } from './field.ts';
import { fromDatabase } from '../storage/stored-rows.ts';

/** Options for writing rows. */
export interface SliceOptions {
  readonly format: Format;
  /** Whether CSV is made for people instead of for an import. */
  readonly isForSpreadsheets?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Writes a piece of the text. False ends the export. */
  readonly write: (text: string) => Promise<boolean>;
  /** Called after each slice. */
  readonly onProgress?: (rows: number) => void;
}

export interface ExportOptions extends SliceOptions {
  readonly workspaceId: string;
  readonly resource: Resource;
}

/**
 * Writes every stored row of a workspace in the API's order, from one snapshot and in bounded
 * memory. Returns the number of rows. The output can be imported again.
 */
export async function exportRows(
  store: Store,
  { workspaceId, resource, ...options }: ExportOptions,
): Promise<number> {
  const fields = (resource.exported ?? resource.row).keyof().options;
  const snapshot = await store.snapshot({ workspaceId });
  try {
    const slices = readSlices(snapshot.db, resource, workspaceId);
    return await writeSlices(slices, { ...options, fields, array: resource.array });
  } finally {
    await snapshot.release();
  }
}

/** Writes slices of rows with these fields; `array` names them in JSON. Returns the number of rows. */
export async function writeSlices(
  slices: AsyncIterable<readonly FileCells[]>,
  {
    format,
    fields,
    array,
    isForSpreadsheets,
    signal,
    write,
    onProgress = () => {},
  }: SliceOptions & { readonly fields: readonly string[]; readonly array: string },
): Promise<number> {
  const { start, separator, end, row } = rowFormat(format, { fields, array, isForSpreadsheets });
  let rows = 0;
  let isWanted = await write(start);
  for await (const slice of slices) {
    refuseIfStopped(signal);
    const text = slice.map(row).join(separator);
    isWanted &&= await write(rows === 0 ? text : separator + text);
    if (!isWanted) return rows;
    rows += slice.length;
    onProgress(rows);
  }
  await write(end);
  return rows;
}

/** Rows in memory at once. */
const sliceRows = 1000;

/** Yields all rows of a workspace in the API's order, slice by slice. `db` should be a snapshot. */
async function* readSlices(
  db: Kysely<DataTables>,
  { row, exported = row, select, order }: Resource,
  workspaceId: string,
): AsyncGenerator<Cells[]> {
  const fields = fieldsOf(exported);
  const booleans = new Set(fields.filter((field) => field.isBoolean).map(({ name }) => name));
  const columns = sql.join(fields.map(({ name }) => sql.ref(name)));
  let after = sql`true`;
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${columns} from (${select(workspaceId)}) as stored
      where ${after}
      order by ${sql.join(order.map(orderBy))}
      limit ${sliceRows}`.execute(db);
    const slice = rows.map((each) => fromDatabase(each, booleans));
    if (slice.length > 0) yield slice;
    const last = slice.at(-1);
    if (last === undefined || slice.length < sliceRows) return;
    after = isAfter(last, order);
  }
}

function orderBy(term: OrderTerm): RawBuilder<unknown> {
  return sql`${valueOf(term)} ${sql.raw(term.direction)}`;
}

/** A number that replaces null, so that one comparison orders every row. */
function nullAs({ direction }: OrderTerm): number {
  return direction === 'desc' ? -1 : Number.MAX_SAFE_INTEGER;
}

function valueOf(term: OrderTerm): RawBuilder<unknown> {
  const reference = sql.ref(term.expression ?? term.name);
  return term.isNullable === true
    ? sql`coalesce(${reference}, ${sql.lit(nullAs(term))})`
    : reference;
}

/**
 * Selects the rows after the last one, by the first column in which they differ. The loose bound on
 * the first column lets both databases use their index.
 */
function isAfter(last: Cells, order: readonly OrderTerm[]): RawBuilder<boolean> {
  const [first, ...rest] = order;
  if (first === undefined) return sql`false`;
  const value: Scalar = last[first.name] ?? (first.isNullable === true ? nullAs(first) : null);
  const [beyond, atOrBeyond] = first.direction === 'desc' ? [sql`<`, sql`<=`] : [sql`>`, sql`>=`];
  return sql`
    ${valueOf(first)} ${atOrBeyond} ${value}
    and (${valueOf(first)} ${beyond} ${value} or (${isAfter(last, rest)}))`;
}
