import { Refusal, isRefusal } from '../../refusals.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { boundWithoutSearch } from '../engines/cost.ts';
import { withKey } from '../ledger/engines-to-ask.ts';
import type { AskedEngine, EngineChoice } from '../ledger/engines-to-ask.ts';
import { toMicros } from '../ledger/micros.ts';
import { engineNamed, ensurePaces, readEngines } from '../ledger/paced-engines.ts';
import type { PacedEngine } from '../ledger/paced-engines.ts';

type EngineTools = Pick<EngineChoice, 'prices'> & { readonly clock: () => number };

/**
 * Reads the engine of a judge as it is asked, which is without a web search. Throws a `Refusal` if
 * it was not set up, or is off.
 */
export async function readJudgeEngine(
  store: Store,
  ledger: Ledger,
  name: string,
  { prices: rows = [], clock }: EngineTools,
): Promise<PacedEngine> {
  const all = await readEngines(store, ledger, { rows, nowMs: clock() });
  const [engine] = engineNamed(all, [name]);
  if (engine === undefined || engine.offReason !== null) {
    throw new Refusal('stance_judge_off', { engine: name });
  }
  const target = { ...engine.target, hasSearch: false, requiresSearch: false };
  const asked = { ...engine, target };
  return { ...asked, boundMicros: judgeBound(asked, '') };
}

/** The engine of a judge with its key. Throws a `Refusal` if this process cannot ask it. */
export async function judgeToAsk(
  store: Store,
  ledger: Ledger,
  name: string,
  { environment, ...tools }: EngineTools & Pick<EngineChoice, 'environment'>,
): Promise<AskedEngine> {
  const engine = await readJudgeEngine(store, ledger, name, tools);
  const asked = await withKey(store, environment, engine);
  if (isRefusal(asked)) throw asked;
  await ensurePaces(ledger, [name]);
  return asked;
}

/**
 * The most that a question to a judge may cost: by its length and the price, without the pages that a
 * search would find. A bound that the operator has set is the most.
 */
export function judgeBound(
  { adapter, target, boundMicros, isBoundSet }: PacedEngine,
  question: string,
): number | undefined {
  const usd = boundWithoutSearch(adapter, target, question);
  if (usd === undefined) return boundMicros;
  const micros = toMicros(usd);
  return isBoundSet ? Math.min(micros, boundMicros ?? micros) : micros;
}
