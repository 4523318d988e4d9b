import { Refusal, isRefusal } from '../../refusals.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import type { PriceRow } from '../engines/prices.ts';
import { readEngineKey } from '../keys/engine-key.ts';
import { readEnginesOn } from './costs.ts';
import { engineNamed, ensurePaces } from './paced-engines.ts';
import type { BoundEngine, PacedEngine } from './paced-engines.ts';

export interface EngineChoice {
  /** Only these engines; all if empty. */
  readonly engines: readonly string[];
  /** The environment variables with the keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prices that the operator has given. */
  readonly prices?: readonly PriceRow[];
}

/** An engine with its key, which is in memory alone. */
export type AskedEngine = BoundEngine & { readonly key: string | undefined };

interface AskingContext {
  readonly workspaceId: string;
  readonly clock: () => number;
}

/** Finds the engines that are on, and those of them that this process cannot ask. */
export async function enginesToAsk(
  store: Store,
  ledger: Ledger,
  { engines: names, environment, prices = [], workspaceId, clock }: EngineChoice & AskingContext,
): Promise<[AskedEngine[], Refusal[]]> {
  const enabled = await readEnginesOn(store, ledger, { workspaceId, prices, nowMs: clock() });
  const chosen = new Set(engineNamed(enabled.all, names).map(({ name }) => name));
  const on = enabled.on.filter(({ name }) => chosen.size === 0 || chosen.has(name));
  if (on.length === 0) throw new Refusal('engine_missing', {});
  const ready: AskedEngine[] = [];
  const refused: Refusal[] = [];
  for (const engine of on) {
    const asked = await withKey(store, environment, engine);
    if (isRefusal(asked)) refused.push(asked);
    else ready.push(asked);
  }
  if (ready.length === 0) throw refused[0] ?? new Refusal('engine_missing', {});
  await ensurePaces(
    ledger,
    ready.map(({ name }) => name),
  );
  return [ready, refused];
}

/** The engine with its key, or why this process cannot ask it. */
export async function withKey(
  store: Store,
  environment: EngineChoice['environment'],
  engine: PacedEngine,
): Promise<AskedEngine | Refusal> {
  const { name, adapter, target, boundMicros } = engine;
  if (boundMicros === undefined) {
    return new Refusal('engine_bound_missing', { engine: name, model: target.model });
  }
  try {
    const isOwn = adapter.isOwn === true;
    const keyed = { ...engine, baseUrl: target.baseUrl, isOwn };
    return { ...engine, boundMicros, key: await readEngineKey(store, environment, keyed) };
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}
