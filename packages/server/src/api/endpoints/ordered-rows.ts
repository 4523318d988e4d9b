import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { ReadRequest } from './read-request.ts';
import { orderBy, rangesBehind } from './keyset.ts';
import type { OrderColumn } from './keyset.ts';

/** The rows of an endpoint without a cap. */
export interface OrderedRows<Table extends keyof DataTables, Row extends object, Query> {
  /** The order of the answer; no two rows share all its columns. */
  readonly order: ReadonlyArray<OrderColumn<Row>>;
  /** Rows that are one body. Reading and serialising them blocks the event loop for milliseconds. */
  readonly wholeMax: number;
  /** Rows of a slice of a longer answer. */
  readonly sliceMax: number;
  /** All rows, in any order. */
  readonly select: (
    request: ReadRequest,
    query: Query,
  ) => SelectQueryBuilder<DataTables, Table, Row>;
}

/** All rows in their order, or undefined if they are more than `wholeMax`. */
export async function readOrdered<Table extends keyof DataTables, Row extends object, Query>(
  { order, wholeMax, select }: OrderedRows<Table, Row, Query>,
  request: ReadRequest,
  query: Query,
): Promise<readonly Row[] | undefined> {
  const all = select(request, query);
  // Looked up first: a long answer is read only once there is a place for it.
  const beyond = all
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(1)
    .offset(wholeMax);
  if ((await beyond.execute()).length > 0) return undefined;
  const rows = await all
    .orderBy(orderBy(order))
    .limit(wholeMax + 1)
    .execute();
  return rows.length > wholeMax ? undefined : rows;
}

/** All rows in their order, in slices. `request` must be of a snapshot. */
export async function* sliceOrdered<Table extends keyof DataTables, Row extends object, Query>(
  { order, sliceMax, select }: OrderedRows<Table, Row, Query>,
  request: ReadRequest,
  query: Query,
): AsyncGenerator<readonly Row[]> {
  const ordered = select(request, query).orderBy(orderBy(order));
  let last: Row | undefined;
  do {
    const rows = last === undefined ? await ordered.limit(sliceMax).execute() : await behind(last);
    yield rows;
    last = rows.length < sliceMax ? undefined : rows.at(-1);
  } while (last !== undefined);

  async function behind(previous: Row): Promise<Row[]> {
    const rows: Row[] = [];
    for (const range of rangesBehind(order, previous)) {
      const left = sliceMax - rows.length;
      if (left > 0) rows.push(...(await ordered.where(range).limit(left).execute()));
    }
    return rows;
  }
}
