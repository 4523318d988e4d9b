import { Refusal, isRefusal } from '../../refusals.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import type { PriceRow } from '../engines/prices.ts';
import { readKey } from '../ask/ask-engine.ts';
import { withLearntBounds } from './costs.ts';
import { engineNamed, ensurePaces, readEngines } from './paced-engines.ts';
import type { BoundEngine, PacedEngine } from './paced-engines.ts';

export interface EngineChoice {
  /** Only these engines; all if empty. */
  readonly engines: readonly string[];
  /** The environment variables with the keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prices that the operator has given. */
  readonly prices?: readonly PriceRow[];
}

interface AskingContext {
  readonly workspaceId: string;
  readonly clock: () => number;
}

/** Finds the engines that are on, and those of them that this process cannot ask. */
export async function enginesToAsk(
  store: Store,
  ledger: Ledger,
  {
    engines: names,
    environment,
    prices: rows = [],
    workspaceId,
    clock,
  }: EngineChoice & AskingContext,
): Promise<[BoundEngine[], Refusal[]]> {
  const all = await readEngines(store, ledger, { rows, nowMs: clock() });
  const engines = names.length === 0 ? all : engineNamed(all, names);
  const enabled = engines.filter(({ offReason }) => offReason === null);
  const on = await withLearntBounds(store, ledger, {
    workspaceId,
    engines: enabled,
    nowMs: clock(),
  });
  if (on.length === 0) throw new Refusal('engine_missing', {});
  const refused = on.flatMap((engine) => {
    const refusal = whyNot(engine, environment);
    return refusal === undefined ? [] : [{ engine: engine.name, refusal }];
  });
  const ready = on.flatMap((engine) => {
    const { name, boundMicros } = engine;
    const isRefused = refused.some((each) => each.engine === name);
    return isRefused || boundMicros === undefined ? [] : [{ ...engine, boundMicros }];
  });
  if (ready.length === 0) throw refused[0]?.refusal ?? new Refusal('engine_missing', {});
  await ensurePaces(
    ledger,
    ready.map(({ name }) => name),
  );
  return [ready, refused.map(({ refusal }) => refusal)];
}

/** Explains why this process cannot ask an engine that is on. */
function whyNot(
  { name, adapter, keyVariable, target, boundMicros }: PacedEngine,
  environment: EngineChoice['environment'],
): Refusal | undefined {
  if (boundMicros === undefined) {
    return new Refusal('engine_bound_missing', { engine: name, model: target.model });
  }
  try {
    readKey(environment, adapter, keyVariable);
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}
