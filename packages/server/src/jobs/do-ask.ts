import { engineFetches } from '../collect/ask/engine-fetch.ts';
import { collect } from '../collect/collect.ts';
import type { CollectorOrder } from '../collect/collector.ts';
import { refusalWords } from '../refusals.ts';
import type { Store } from '../storage/store.ts';
import { doGaps } from './do-gaps.ts';
import type { JobTools } from './job-tools.ts';

/** The keys, the pace and the prices with which a server asks engines. */
export type AskingOrder = Omit<CollectorOrder, 'database'>;

/** A person watches the answers come in. */
const handOverMs = 3000;

/**
 * Asks every prompt that is on, as the running sweep, and finds the gaps. Doing it twice asks
 * nothing twice.
 */
export async function doAsk(
  store: Store,
  asking: AskingOrder,
  { workspaceId, clock, signal }: JobTools,
): Promise<Record<string, number | string[]>> {
  const progress = await collect(store, {
    ...asking,
    workspaceId,
    engines: [],
    isNow: true,
    handOverMs,
    clock,
    signal,
    fetchFor: engineFetches({ mayReachPrivate: false }),
  });
  const { done, failed, unknown, runs, isOverBudget, leftOut } = progress;
  const { gaps } = runs > 0 ? await doGaps(store, { workspaceId, clock }) : { gaps: 0 };
  // Stopped with its server: another one goes on.
  signal.throwIfAborted();
  const warnings = leftOut.map((refusal) => refusalWords(refusal));
  return { done, failed, unknown, runs, gaps, isOverBudget: Number(isOverBudget), warnings };
}
