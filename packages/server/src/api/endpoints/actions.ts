import { actions } from '@overheard/contract';
import type { ActionRow } from '@overheard/contract';
import { orders } from '../../values/orders.ts';
import { parseQuery } from '../request/query.ts';
import { inOrder } from '../request/ordered-rows.ts';
import type { OrderedRows } from '../request/ordered-rows.ts';
import { prepareOrdered } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

export function prepareActions(search: string): PreparedQuery {
  return prepareOrdered(orderedActions, parseQuery(search, actions.query));
}

/** Reads all actions or those of one status: highest impact first, unknown impact last. */
export const orderedActions: OrderedRows<
  'actions',
  ActionRow,
  { status?: ActionRow['status'] | undefined }
> = {
  ...inOrder(orders.actions),
  wholeMax: 2000,
  sliceMax: 500,
  select: ({ db, workspaceId }, { status }) =>
    db
      .selectFrom('actions')
      .select(actions.fields)
      .where('workspace_id', '=', workspaceId)
      .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'open')),
};
