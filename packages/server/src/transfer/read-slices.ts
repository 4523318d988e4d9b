import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import type { Cells, Scalar } from '../storage/cells.ts';
import { fieldsOf } from './field.ts';
import type { OrderTerm, Resource } from './resource.ts';
import { fromDatabase } from '../storage/stored-rows.ts';

/** Rows in memory at once. */
const sliceRows = 1000;

/** Yields all rows of a workspace in the API's order, slice by slice. `db` should be a snapshot. */
export async function* readSlices(
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
