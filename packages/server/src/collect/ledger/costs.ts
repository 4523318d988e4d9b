import { pad } from '../../storage/chunks.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { addDays, utcDay } from '../../values/time/utc-day.ts';
import { cohortOf } from './claim.ts';
import { readEngines } from './paced-engines.ts';
import type { PacedEngine } from './paced-engines.ts';
import type { PriceRow } from '../engines/prices.ts';
import { readPromptsToAsk } from './prompts-to-ask.ts';

/** Answers of this many last days show the costs. */
const costDays = 30;
const costsMax = 1000;
/** Fewer answers do not show the cost of the dearest in a hundred. */
const boundCostsMin = 100;
const boundMargin = 1.5;

/** Reads the costs of an engine's last answers that were asked with its current settings. */
export function readCosts(
  { db }: Ledger,
  engine: PacedEngine,
  { workspaceId, today, locales }: { workspaceId: string; today: string; locales: string[] },
) {
  return (
    db
      .selectFrom('readings')
      .select(['cost_micros', 'cost_basis', 'searches'])
      .where('workspace_id', '=', workspaceId)
      .where('engine', '=', engine.name)
      .where('day', '>=', addDays(today, 1 - costDays))
      .where('state', '=', 'done')
      // Answers of other models or with other options have other costs.
      .where('cohort', 'in', pad(['', ...locales.map((locale) => cohortOf(engine, { locale }))]))
      .orderBy('day', 'desc')
      .limit(costsMax)
      .execute()
  );
}

/**
 * Reads all engines, and those that are on for a workspace, whose bounds follow from their last
 * answers: 1.5 times the 99th percentile of the costs, but at least the highest cost. A bound that the
 * operator has set is only raised.
 */
export async function readEnginesOn(
  store: Store,
  ledger: Ledger,
  {
    workspaceId,
    prices: rows,
    nowMs,
  }: { workspaceId: string; prices: readonly PriceRow[]; nowMs: number },
): Promise<{ readonly all: readonly PacedEngine[]; readonly on: readonly PacedEngine[] }> {
  const all = await readEngines(store, ledger, { workspaceId, rows, nowMs });
  const prompts = await readPromptsToAsk(store, workspaceId);
  const locales = [...new Set(prompts.map(({ locale }) => locale))];
  const on: PacedEngine[] = [];
  for (const engine of all.filter(({ offReason }) => offReason === null)) {
    const answers = await readCosts(ledger, engine, { workspaceId, today: utcDay(nowMs), locales });
    const costs = answers.flatMap(({ cost_micros: cost, cost_basis: basis }) =>
      cost === null || basis === 'bound' ? [] : [cost],
    );
    on.push({ ...engine, boundMicros: boundBy(costs, engine) });
  }
  return { all, on };
}

function boundBy(
  costs: readonly number[],
  { boundMicros, isBoundSet }: PacedEngine,
): number | undefined {
  const sorted = costs.toSorted((left, right) => left - right);
  const dearest = sorted.at(-1) ?? 0;
  if (boundMicros === undefined) return undefined;
  if (isBoundSet || sorted.length < boundCostsMin) return Math.max(boundMicros, dearest);
  const usual = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
  return Math.max(Math.ceil(usual * boundMargin), dearest);
}
