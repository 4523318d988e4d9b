import { pad } from '../../storage/chunks.ts';
import type { Store } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { toUsd } from './micros.ts';
import { periodsOf } from './periods.ts';

/** What a workspace has spent this UTC month, and may spend. */
export interface WorkspaceMoney {
  readonly spentUsd: number;
  readonly capUsd: number;
  /** 0 if prompts are asked only when a person asks now. */
  readonly sweeps: number;
}

/** The budgets of workspaces, by id. Leaves out workspaces without one. */
export async function readMoneyOf(
  store: Store,
  workspaceIds: readonly string[],
  { clock }: { clock: () => number },
): Promise<ReadonlyMap<string, WorkspaceMoney>> {
  const ledger = await store.ledger();
  if (ledger === undefined || workspaceIds.length === 0) return new Map();
  const [, month] = periodsOf(utcDay(clock()));
  const ids = pad(workspaceIds);
  // Two reads rather than a join, so that each shard of Citus responds on its own.
  const allowances = await ledger.db
    .selectFrom('allowances')
    .select(['workspace_id', 'month_micros', 'sweeps'])
    .where('workspace_id', 'in', ids)
    .execute();
  const budgets = await ledger.db
    .selectFrom('budgets')
    .select(['workspace_id', 'spent_micros'])
    .where('workspace_id', 'in', ids)
    .where('period', '=', month)
    .execute();
  const spent = new Map(budgets.map((row) => [row.workspace_id, row.spent_micros]));
  return new Map(
    allowances.map(({ workspace_id: id, month_micros: cap, sweeps }) => [
      id,
      { spentUsd: toUsd(spent.get(id) ?? 0), capUsd: toUsd(cap), sweeps },
    ]),
  );
}
