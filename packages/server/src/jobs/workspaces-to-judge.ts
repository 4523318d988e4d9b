import type { Store } from '../storage/store.ts';
import { activeStates } from './jobs.ts';

/**
 * The workspaces whose answers are judged every day. None while any workspace is judged: judging
 * takes long, and must leave threads to other jobs.
 */
export async function workspacesToJudge({
  access,
  ledger,
}: Pick<Store, 'access' | 'ledger'>): Promise<ReadonlySet<string>> {
  const active = await access
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'judge')
    .where('state', 'in', activeStates)
    .limit(1)
    .executeTakeFirst();
  if (active !== undefined) return new Set();
  const budgets = await (
    await ledger()
  )?.db
    .selectFrom('stance_budgets')
    .select('workspace_id')
    .where('is_daily', '=', true)
    .execute();
  return new Set(budgets?.map((row) => row.workspace_id));
}
