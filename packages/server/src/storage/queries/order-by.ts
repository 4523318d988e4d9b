import { sql } from 'kysely';
import type { Expression } from 'kysely';
import type { OrderColumn } from '../../values/orders.ts';

/** An order as SQL. Both databases read it from an index that says the same. */
export function orderBy(order: readonly OrderColumn[]): Expression<unknown> {
  const columns = order.map(({ name, direction, isNullable = false }) => {
    const nulls = isNullable ? ' nulls last' : '';
    return sql`${sql.ref(name)}${sql.raw(` ${direction}${nulls}`)}`;
  });
  return sql.join(columns);
}
