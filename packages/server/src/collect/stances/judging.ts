import { isRefusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import type { PriceRow } from '../engines/prices.ts';
import { readAdminCaps } from '../ledger/budgets.ts';
import { readEngines } from '../ledger/paced-engines.ts';
import { estimateStances } from './estimate-stances.ts';
import type { StanceEstimate } from './estimate-stances.ts';
import { readStanceBudget, usualSample } from './stance-budgets.ts';
import type { SpentStanceBudget } from './stance-budgets.ts';

/** The judge of a workspace, and what each engine would cost as one. */
export interface Judging {
  readonly budget: SpentStanceBudget | null;
  /** One for each engine that is on, of the answers that it has not judged. */
  readonly estimates: readonly StanceEstimate[];
  /** The highest budget of an admin in US dollars; null if the operator allows none. */
  readonly caps: { readonly dayCapUsd: number; readonly monthCapUsd: number } | null;
}

/** Reads who judges, and what it would cost. Asks nothing and writes nothing. */
export async function readJudging(
  store: Store,
  workspaceId: string,
  { nowMs, prices = [] }: { nowMs: number; prices?: readonly PriceRow[] | undefined },
): Promise<Judging> {
  const ledger = await store.ledger();
  if (ledger === undefined) return { budget: null, estimates: [], caps: null };
  const clock = () => nowMs;
  const budget = (await readStanceBudget(store, workspaceId, { clock })) ?? null;
  const engines = await readEngines(store, ledger, { rows: prices, nowMs });
  const estimates: StanceEstimate[] = [];
  for (const { name, offReason } of engines) {
    if (offReason !== null) continue;
    const sample = budget === null ? usualSample : budget.sample;
    const options = { engine: name, sample, prices, clock };
    const estimate = await estimateStances(store, workspaceId, options).catch(ignoreRefusal);
    if (estimate !== undefined) estimates.push(estimate);
  }
  return { budget, estimates, caps: await readAdminCaps(ledger, workspaceId) };
}

/** An engine that was switched off meanwhile has no estimate. */
function ignoreRefusal(error: unknown): undefined {
  if (!isRefusal(error)) throw error;
}
