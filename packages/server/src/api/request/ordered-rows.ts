import { sql } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { orderBy } from '../../storage/queries/order-by.ts';
import type { OrderColumn } from '../../values/orders.ts';
import type { ReadRequest } from './read-request.ts';

type Order<Row> = ReadonlyArray<OrderColumn<keyof Row & string>>;

/** The rows of an endpoint without a cap. */
export interface OrderedRows<Table extends keyof DataTables, Row extends object, Query> {
  /** The order of the response; no two rows share all its columns. */
  readonly order: Order<Row>;
  /** The same order as SQL. */
  readonly ordering: Expression<unknown>;
  /** Most rows in one body. Reading and serialising them blocks the event loop for milliseconds. */
  readonly wholeMax: number;
  /** Number of rows in a slice of a longer response. */
  readonly sliceMax: number;
  /** Selects all rows in any order. */
  readonly select: (
    request: ReadRequest,
    query: Query,
  ) => SelectQueryBuilder<DataTables, Table, Row>;
}

/** An order with its SQL, built once for all requests. */
export function inOrder<Row>(order: Order<Row>) {
  return { order, ordering: orderBy(order) };
}

/** Reads all rows in their order, or returns undefined if there are more than `wholeMax`. */
export async function readOrdered<Table extends keyof DataTables, Row extends object, Query>(
  { ordering, wholeMax, select }: OrderedRows<Table, Row, Query>,
  request: ReadRequest,
  query: Query,
): Promise<readonly Row[] | undefined> {
  const all = select(request, query);
  // Count first, because a long response is read only when there is a snapshot for it.
  const surplus = all
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(1)
    .offset(wholeMax);
  if ((await surplus.execute()).length > 0) return undefined;
  const rows = await all
    .orderBy(ordering)
    .limit(wholeMax + 1)
    .execute();
  return rows.length > wholeMax ? undefined : rows;
}

/** Yields all rows in their order, in slices. `request` must read from a snapshot. */
export async function* sliceOrdered<Table extends keyof DataTables, Row extends object, Query>(
  { order, ordering, sliceMax, select }: OrderedRows<Table, Row, Query>,
  request: ReadRequest,
  query: Query,
): AsyncGenerator<readonly Row[]> {
  const ordered = select(request, query).orderBy(ordering);
  let last: Row | undefined;
  do {
    const rows =
      last === undefined ? await ordered.limit(sliceMax).execute() : await readRowsBehind(last);
    yield rows;
    last = rows.length < sliceMax ? undefined : rows.at(-1);
  } while (last !== undefined);

  async function readRowsBehind(previous: Row): Promise<Row[]> {
    const rows: Row[] = [];
    for (const range of rangesBehind(order, previous)) {
      const left = sliceMax - rows.length;
      if (left > 0) rows.push(...(await ordered.where(range).limit(left).execute()));
    }
    return rows;
  }
}

/**
 * Conditions that together select the rows after `last`, in the order of their rows. Each is a
 * single range of an index on the order's columns, so that a slice costs the same anywhere in a
 * long response, even if many rows share a value.
 */
function rangesBehind<Row extends object>(
  order: Order<Row>,
  last: Row,
): ReadonlyArray<Expression<SqlBool>> {
  return order.flatMap((_, index) => {
    // Start with the last column, because rows that differ only there come next.
    const place = order.length - 1 - index;
    const shared = order.slice(0, place).map((column) => isSame(column, last));
    return whereBeyond(order[place], last).map(
      (range) => sql<SqlBool>`${sql.join([...shared, range], sql` and `)}`,
    );
  });
}

function isSame<Row extends object>(
  { name }: OrderColumn<keyof Row & string>,
  last: Row,
): Expression<SqlBool> {
  const value = last[name];
  return value === null ? sql`${sql.ref(name)} is null` : sql`${sql.ref(name)} = ${value}`;
}

function whereBeyond<Row extends object>(
  column: OrderColumn<keyof Row & string> | undefined,
  last: Row,
): Array<Expression<SqlBool>> {
  if (column === undefined || last[column.name] === null) return [];
  const name = sql.ref(column.name);
  const value = last[column.name];
  const further =
    column.direction === 'asc'
      ? sql<SqlBool>`${name} > ${value}`
      : sql<SqlBool>`${name} < ${value}`;
  return column.isNullable === true ? [further, sql<SqlBool>`${name} is null`] : [further];
}
