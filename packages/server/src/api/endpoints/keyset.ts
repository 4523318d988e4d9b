import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';

/** A column of an order. Nulls come last, whatever the direction. */
export interface OrderColumn<Row> {
  readonly name: keyof Row & string;
  readonly direction: 'asc' | 'desc';
  readonly isNullable?: boolean;
}

/** The order as SQL. Both databases read it from an index that says the same. */
export function orderBy<Row extends object>(
  order: ReadonlyArray<OrderColumn<Row>>,
): Expression<unknown> {
  const columns = order.map(({ name, direction, isNullable = false }) => {
    const nulls = isNullable ? ' nulls last' : '';
    return sql`${sql.ref(name)}${sql.raw(` ${direction}${nulls}`)}`;
  });
  return sql.join(columns);
}

/**
 * Conditions that together mean "behind `last`", in the order of their rows. Each one is a single
 * range of an index on the order's columns, so that a slice costs the same at the end of a long
 * answer, and where many rows share a value, as at its beginning.
 */
export function rangesBehind<Row extends object>(
  order: ReadonlyArray<OrderColumn<Row>>,
  last: Row,
): ReadonlyArray<Expression<SqlBool>> {
  return order.flatMap((_, index) => {
    // The deepest first: rows that share all values but the last one come next.
    const place = order.length - 1 - index;
    const shared = order.slice(0, place).map((column) => isSame(column, last));
    return beyond(order[place], last).map(
      (range) => sql<SqlBool>`${sql.join([...shared, range], sql` and `)}`,
    );
  });
}

function isSame<Row extends object>({ name }: OrderColumn<Row>, last: Row): Expression<SqlBool> {
  const value = last[name];
  return value === null ? sql`${sql.ref(name)} is null` : sql`${sql.ref(name)} = ${value}`;
}

function beyond<Row extends object>(
  column: OrderColumn<Row> | undefined,
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
