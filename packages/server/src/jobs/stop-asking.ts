import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import { activeStates } from './jobs.ts';
import type { JobKey } from './jobs.ts';

/**
 * Ends a job that asks engines, by a person's word. Its thread notes that within seconds and asks
 * nothing more. Returns false if the job had ended.
 */
export async function stopAsking(
  db: Kysely<AccessTables>,
  { workspaceId, id }: JobKey,
  { clock }: { clock: () => number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({
      state: 'done',
      ended_at: new Date(clock()).toISOString(),
      outcome: JSON.stringify({ result: { stopped: 1 } }),
      progress: null,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('kind', 'in', ['ask', 'judge'])
    .where('state', 'in', activeStates)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
