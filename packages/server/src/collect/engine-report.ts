import type { Store } from '../storage/store.ts';
import { engineOfKind, listEngines, targetOf } from './engine-settings.ts';
import type { EngineSettings } from './engine-settings.ts';
import { bound, findPrice } from './engines/cost.ts';
import type { ModelPrice } from './engines/engine.ts';
import { withPrices } from './engines/prices.ts';
import type { Pricing } from './engines/prices.ts';
import { toUsd } from './ledger/micros.ts';
import { readOperatorBudget } from './ledger/operator-budgets.ts';
import type { OperatorBudget } from './ledger/operator-budgets.ts';
import { readEngines } from './ledger/paced-engines.ts';

/** An engine that was set up, with its price, its caps, and what it has cost. */
export interface EngineReport extends EngineSettings {
  /** The most that one answer may cost; null if the price of the model or its searches is unknown. */
  readonly boundUsd: number | null;
  /** The day on which its price was read. */
  readonly priceChecked: string | null;
  /** Null before anything was asked. */
  readonly operator: OperatorBudget | null;
  /** Why it is not asked: `disabled`, or the code of a fault; null if it is on. */
  readonly offReason: string | null;
}

/** Reads every engine that was set up, by name. */
export async function reportEngines(
  store: Store,
  pricing: Pricing,
  machineClock: () => number,
): Promise<readonly EngineReport[]> {
  const all = await listEngines(store.access);
  const ledger = await store.ledger();
  const paced = ledger === undefined ? [] : await readEngines(store, ledger, pricing);
  const clock = await store.ledgerClock(machineClock);
  const report = async (each: EngineSettings): Promise<EngineReport> => {
    const { boundMicros, offReason = null } = paced.find(({ name }) => name === each.name) ?? {};
    const disabled = each.disabledAt === null ? null : 'disabled';
    return {
      ...each,
      boundUsd:
        (boundMicros === undefined ? boundOfEngine(each, pricing) : toUsd(boundMicros)) ?? null,
      priceChecked: priceOf(each, pricing)?.checked ?? null,
      operator: ledger === undefined ? null : await readOperatorBudget(ledger, clock, each.name),
      offReason: disabled ?? offReason,
    };
  };
  const reports: EngineReport[] = [];
  for (const each of all) reports.push(await report(each));
  return reports;
}

/**
 * The most that one answer may cost; undefined if the price of the model or of its searches is
 * unknown.
 */
export function boundOfEngine(settings: EngineSettings, pricing: Pricing): number | undefined {
  return bound(withPrices(engineOfKind(settings.kind), settings.name, pricing), targetOf(settings));
}

/** The price by which an engine's answers are computed; undefined if the list has none. */
function priceOf({ kind, name, model }: EngineSettings, pricing: Pricing): ModelPrice | undefined {
  return findPrice(withPrices(engineOfKind(kind), name, pricing).prices, model);
}
