import { padded } from '../../storage/chunks.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { addDays, utcDay } from '../../values/time/utc-day.ts';
import { cohortOf } from './claim.ts';
import type { PacedEngine } from './paced-engines.ts';
import { readPromptsToAsk } from './plan.ts';

/** Days back that answers are looked at. */
const costDays = 30;
const costsMax = 1000;
/** Fewer answers do not show what the dearest of a hundred costs. */
const boundCostsMin = 100;
const boundMargin = 1.5;

/** What the last answers of an engine cost that were asked as it is set up now. */
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
      // Answers of another model or with other options cost something else.
      .where('cohort', 'in', padded(['', ...locales.map((locale) => cohortOf(engine, { locale }))]))
      .orderBy('day', 'desc')
      .limit(costsMax)
      .execute()
  );
}

/**
 * The engines with bounds from their last answers: half as much again as 99 of 100 cost, and never less
 * than one has cost. A bound that the operator has set is only raised.
 */
export async function withLearntBounds(
  store: Store,
  ledger: Ledger,
  {
    workspaceId,
    engines,
    nowMs,
  }: { workspaceId: string; engines: readonly PacedEngine[]; nowMs: number },
): Promise<PacedEngine[]> {
  const prompts = await readPromptsToAsk(store, workspaceId);
  const locales = [...new Set(prompts.map(({ locale }) => locale))];
  const learnt: PacedEngine[] = [];
  for (const engine of engines) {
    const rows = await readCosts(ledger, engine, { workspaceId, today: utcDay(nowMs), locales });
    const costs = rows.flatMap(({ cost_micros: cost, cost_basis: basis }) =>
      cost === null || basis === 'bound' ? [] : [cost],
    );
    learnt.push({ ...engine, boundMicros: boundBy(costs, engine) });
  }
  return learnt;
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
