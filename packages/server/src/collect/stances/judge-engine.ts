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

/**
 * The engine of a judge with its key. A bound that was too low is raised to what a judgement has cost.
 * Throws a `Refusal` if this process cannot ask it.
 */
export async function judgeToAsk(
  store: Store,
  ledger: Ledger,
  name: string,
  {
    workspaceId,
    environment,
    ...tools
  }: EngineTools & Pick<EngineChoice, 'environment'> & { readonly workspaceId: string },
): Promise<AskedEngine> {
  const engine = await readJudgeEngine(store, ledger, name, tools);
  const asked = await withKey(store, environment, engine);
  if (isRefusal(asked)) throw asked;
  await ensurePaces(ledger, [name]);
  const boundMicros = Math.max(asked.boundMicros, await dearest(ledger, { workspaceId, name }));
  return { ...asked, boundMicros };
}

/**
 * The most that a question to a judge may cost: by its length and the price, without the pages that a
 * search would find. Without a price it is the engine's bound.
 */
export function judgeBound(
  { adapter, target, boundMicros }: PacedEngine,
  question: string,
): number | undefined {
  const usd = boundWithoutSearch(adapter, target, question);
  return usd === undefined ? boundMicros : toMicros(usd);
}

/** The highest known cost of a workspace's judgements by an engine. */
async function dearest(
  { db }: Ledger,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<number> {
  const row = await db
    .selectFrom('judgements')
    .select(({ fn }) => fn.max<number | null>('cost_micros').as('cost'))
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'done')
    .where('engine', '=', name)
    .executeTakeFirst();
  return row?.cost ?? 0;
}
