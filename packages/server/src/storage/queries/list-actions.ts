import type { ActionRow } from '@overheard/contract';
import type { Kysely } from 'kysely';
import { orders } from '../../values/orders.ts';
import type { DataTables } from '../schema.ts';
import { orderBy } from './order-by.ts';

export type ActionStatus = ActionRow['status'];

/** An action with what the API does not give. */
export interface StoredAction extends ActionRow {
  /** Null if it was imported. */
  readonly kind: string | null;
  readonly parts: string | null;
  /** The id of the user who is to fix it. They may have left the workspace since. */
  readonly assigned_to: string | null;
  readonly note: string | null;
}

/** What is read of an action. */
export const actionColumns = [
  'id',
  'prompt_id',
  'kind',
  'recommendation',
  'priority',
  'status',
  'impact_score',
  'sov_baseline',
  'sov_result',
  'created_at',
  'parts',
  'assigned_to',
  'note',
] as const;

/** The actions of a workspace in the API's order. */
export async function listActions(
  db: Kysely<DataTables>,
  workspaceId: string,
  { status }: { status?: ActionStatus | undefined } = {},
): Promise<StoredAction[]> {
  return db
    .selectFrom('actions')
    .select(actionColumns)
    .where('workspace_id', '=', workspaceId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'open'))
    .orderBy(orderBy(orders.actions))
    .execute();
}
