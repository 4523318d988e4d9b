import { limits, scores } from '@overheard/contract';
import type { ScoreRow } from '@overheard/contract';
import { sql } from 'kysely';
import { addDays } from '../../values/time/utc-day.ts';
import { orders } from '../../values/orders.ts';
import { parseQuery } from '../request/query.ts';
import { inOrder } from '../request/ordered-rows.ts';
import type { OrderedRows } from '../request/ordered-rows.ts';
import { prepareOrdered } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

export function prepareScores(search: string): PreparedQuery {
  return prepareOrdered(orderedScores, parseQuery(search, scores.query));
}

/**
 * Reads one row per engine and day, for the days that the contract covers, including today (UTC).
 */
export const orderedScores: OrderedRows<'scores', ScoreRow, unknown> = {
  ...inOrder(orders.scores),
  // The rows of 27 engines, because score rows are short.
  wholeMax: 5000,
  sliceMax: 1000,
  select: ({ db, workspaceId, today }) =>
    db
      .selectFrom('scores')
      .select(scores.fields)
      .where('workspace_id', '=', workspaceId)
      .where('date', '>=', addDays(today, 1 - limits.scoresDays))
      // Use an expression instead of the column. Otherwise SQLite would begin at this upper bound,
      // and walk to the slice.
      .where(sql<string>`date || ''`, '<=', today),
};
