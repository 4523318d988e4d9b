import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Answer } from '../answer.ts';
import type { SpooledAnswer } from './spool.ts';

/**
 * Creates the prompts that a batch brings along, and moves the beginning of those that are there to
 * their earliest run: so the order in which files are imported changes nothing.
 */
export async function writePrompts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  batch: readonly SpooledAnswer[],
): Promise<{ new: number; changed: number }> {
  const earliest = earliestOf(batch);
  if (earliest.size === 0) return { new: 0, changed: 0 };
  const stored = await transaction
    .selectFrom('prompts')
    .select(['id', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...earliest.keys()])
    .execute();
  let changed = 0;
  for (const { id, created_at: before } of stored) {
    const runAt = earliest.get(id)?.runAt;
    earliest.delete(id);
    if (runAt === undefined || runAt >= before) continue;
    await transaction
      .updateTable('prompts')
      .set({ created_at: runAt })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
    changed += 1;
  }
  const created = [...earliest].map(([id, { prompt, runAt }]) => ({
    workspace_id: workspaceId,
    id,
    ...prompt,
    active: true,
    created_at: runAt,
  }));
  if (created.length > 0) await transaction.insertInto('prompts').values(created).execute();
  return { new: created.length, changed };
}

type Earliest = Pick<Answer, 'runAt'> & { readonly prompt: NonNullable<Answer['prompt']> };

/** The prompts that rows bring along, each with the moment of its first run in the batch. */
function earliestOf(batch: readonly SpooledAnswer[]): Map<string, Earliest> {
  const earliest = new Map<string, Earliest>();
  for (const { answer } of batch) {
    const { promptId, prompt, runAt } = answer;
    if (prompt === undefined) continue;
    const known = earliest.get(promptId);
    if (known === undefined || runAt < known.runAt) earliest.set(promptId, { prompt, runAt });
  }
  return earliest;
}
