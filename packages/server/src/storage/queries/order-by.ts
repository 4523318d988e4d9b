import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
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

/**
 * The rows after a place, the most recent first and then by id; all rows without a place. Has both bounds of
 * the moment, the first one loose, so that both databases start in the index there.
 */
export function isAfter(
  moment: Expression<string | null>,
  id: Expression<string>,
  after: { readonly runAt: string; readonly id: string } | undefined,
): Expression<SqlBool> {
  if (after === undefined) return sql<SqlBool>`true`;
  return sql<SqlBool>`${moment} <= ${after.runAt} and (${moment} < ${after.runAt} or ${id} > ${after.id})`;
}
