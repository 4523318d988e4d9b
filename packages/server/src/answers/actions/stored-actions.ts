import { actionStatus } from '@overheard/contract';
import type { ActionRow } from '@overheard/contract';
import type { Kysely, Transaction } from 'kysely';
import { Refusal } from '../../refusals.ts';
import { findId } from '../../storage/queries/find-id.ts';
import { orderBy } from '../../storage/queries/order-by.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { orders } from '../../values/orders.ts';

export type ActionStatus = ActionRow['status'];

export const actionStatuses: readonly ActionStatus[] = actionStatus.options;

/** An action with its kind; null if it was imported. */
export interface StoredAction extends ActionRow {
  readonly kind: string | null;
  readonly parts: string | null;
}

const columns = [
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
] as const;

/** The actions of a workspace in the API's order. */
export async function listActions(
  db: Kysely<DataTables>,
  workspaceId: string,
  { status }: { status?: ActionStatus | undefined } = {},
): Promise<StoredAction[]> {
  return db
    .selectFrom('actions')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'open'))
    .orderBy(orderBy(orders.actions))
    .execute();
}

/** A change of status that a person made. */
export interface StatusChange {
  readonly status: ActionStatus;
  /** Null if it is not known. */
  readonly before: ActionStatus | null;
  readonly changed_at: string;
  /** The id of the user; null if the command line did it. */
  readonly changed_by: string | null;
}

/**
 * Reads one action by its id or the beginning of its id, with the changes of its status by people,
 * oldest first. Throws a `Refusal` if there is no such action.
 */
export async function findAction(
  db: Kysely<DataTables>,
  workspaceId: string,
  id: string,
): Promise<{ action: StoredAction; changes: StatusChange[] }> {
  const actionId = await findId(db, { table: 'actions', workspaceId, word: id });
  const action = await db
    .selectFrom('actions')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', actionId ?? '')
    .executeTakeFirst();
  if (action === undefined) throw new Refusal('action_not_found', { id });
  const changes = await db
    .selectFrom('action_changes')
    .select(['status', 'before', 'changed_at', 'changed_by'])
    .where('workspace_id', '=', workspaceId)
    .where('action_id', '=', action.id)
    .orderBy('place')
    .execute();
  return {
    action,
    changes: changes.map((change, index) => ({
      ...change,
      before: change.before ?? changes[index - 1]?.status ?? null,
    })),
  };
}

/** A status that a person wants an action to have. */
interface StatusWish {
  readonly id: string;
  readonly status: ActionStatus;
  /**
   * The status that the person saw. If the action has a different one by now, nothing is changed.
   */
  readonly seen?: ActionStatus;
  /** The id of the user; null for the command line. */
  readonly userId?: string | null;
  readonly clock: () => number;
}

/**
 * Sets the status of an action and keeps the change with its time and its author. Any change other
 * than a dismissal removes the measured result. Throws a `Refusal` if someone else has moved the
 * action.
 */
export async function setActionStatus(
  store: Store,
  workspaceId: string,
  { id, status, seen, userId = null, clock }: StatusWish,
): Promise<{
  hasChanged: boolean;
  before: ActionStatus;
  action: StoredAction;
  /** Earlier changes of status. */
  changes: readonly StatusChange[];
}> {
  return writeWorkspace(store, workspaceId, async (transaction) => {
    const { action, changes } = await findAction(transaction, workspaceId, id);
    const before = action.status;
    if (before === status) return { hasChanged: false, before, action, changes };
    if (seen !== undefined && seen !== before) throw new Refusal('action_moved', { seen, before });
    const at = new Date(clock()).toISOString();
    const change = { status, before, changed_at: at, changed_by: userId };
    await writeChange(transaction, workspaceId, { action, place: changes.length + 1, change });
    return { hasChanged: true, before, action: { ...action, status }, changes };
  });
}

async function writeChange(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { action, place, change }: { action: StoredAction; place: number; change: StatusChange },
): Promise<void> {
  const { status } = change;
  await transaction
    .updateTable('actions')
    .set(status === 'dismissed' ? { status } : { status, sov_result: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', action.id)
    .execute();
  await transaction
    .insertInto('action_changes')
    .values({ workspace_id: workspaceId, action_id: action.id, place, ...change })
    .execute();
}
