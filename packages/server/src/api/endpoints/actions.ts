import { actions } from '@overheard/contract';
import type { ActionRow } from '@overheard/contract';
import type { OrderedRows } from './ordered-rows.ts';

/** Every action, or those of one status: highest impact first, without one last. */
export const orderedActions: OrderedRows<
  'actions',
  ActionRow,
  { status?: ActionRow['status'] | undefined }
> = {
  order: [
    { name: 'impact_score', direction: 'desc', isNullable: true },
    { name: 'created_at', direction: 'desc' },
    { name: 'id', direction: 'asc' },
  ],
  wholeMax: 2000,
  sliceMax: 500,
  select: ({ db, workspaceId }, { status }) =>
    db
      .selectFrom('actions')
      .select(actions.fields)
      .where('workspace_id', '=', workspaceId)
      .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'open')),
};
