import { sql } from 'kysely';
import type { Expression } from 'kysely';
import type { OrderColumn } from '../../values/orders.ts';

/**
 * Makes SQL of an order, in a form that both databases can read from an index with the same order.
 */
export function orderBy(order: readonly OrderColumn[]): Expression<unknown> {
  const columns = order.map(({ name, direction, isNullable = false }) => {
    const nulls = isNullable ? ' nulls last' : '';
    return sql`${sql.ref(name)}${sql.raw(` ${direction}${nulls}`)}`;
  });
  return sql.join(columns);
}
