import { actions } from '@overheard/contract';
import type { ActionRow } from '@overheard/contract';
import type { Reading } from './endpoint.ts';

/** Every action, or those of one status: highest impact first, without one last. */
export function readActions(
  { db, workspaceId }: Reading,
  { status }: { status?: ActionRow['status'] | undefined },
): Promise<ActionRow[]> {
  return db
    .selectFrom('actions')
    .select(actions.fields)
    .where('workspace_id', '=', workspaceId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'open'))
    .orderBy('impact_score', (order) => order.desc().nullsLast())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}
