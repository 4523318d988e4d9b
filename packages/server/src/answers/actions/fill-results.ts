import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { readRunEvidence } from './evidence.ts';
import { sovOf } from './find-gaps.ts';
import { runsMin } from './drops.ts';
import { tallyRuns } from './tally.ts';

const restDays = 14;
/** Sorts after every stored moment. */
const never = '9999';

/**
 * Measures the result of each action that was done at least 14 days ago: its prompt's share of
 * voice over the counted runs since then, if there are at least 5. Returns the number of actions
 * measured.
 */
export async function fillResults(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  nowMs: number,
): Promise<number> {
  const restedAt = new Date(nowMs - restDays * dayMs).toISOString();
  const done = await transaction
    .selectFrom('actions')
    .innerJoin('action_changes', (join) =>
      join
        .on('action_changes.workspace_id', '=', workspaceId)
        .onRef('action_changes.action_id', '=', 'actions.id'),
    )
    .where('actions.workspace_id', '=', workspaceId)
    .where('actions.status', '=', 'done')
    .where('action_changes.status', '=', 'done')
    .where('sov_result', 'is', null)
    .where('prompt_id', 'is not', null)
    .select(['actions.id', 'prompt_id', (query) => query.fn.max('changed_at').as('done_at')])
    .groupBy(['actions.id', 'prompt_id'])
    .execute();
  let filled = 0;
  for (const { id, prompt_id: promptId, done_at: doneAt } of done) {
    if (promptId === null || doneAt > restedAt) continue;
    const span = { from: doneAt, before: never };
    const runs = await readRunEvidence(transaction, workspaceId, { promptId, span });
    if (runs.length < runsMin) continue;
    await transaction
      .updateTable('actions')
      .set({ sov_result: sovOf(tallyRuns(runs)) })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
    filled += 1;
  }
  return filled;
}
