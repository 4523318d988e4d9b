import type { Ledger, Store } from '../storage/store.ts';
import { addDays, utcDay } from '../values/time/utc-day.ts';
import type { PriceRow } from './engines/prices.ts';
import { estimateCollecting } from './estimate-collecting.ts';
import type { CollectEstimate } from './estimate-collecting.ts';
import { readAdminCaps, readBudget } from './ledger/budgets.ts';
import type { AdminCaps, SpentAllowance } from './ledger/budgets.ts';
import { toUsd } from './ledger/micros.ts';
import { readEngines } from './ledger/paced-engines.ts';
import { isOffByChoice } from './ledger/switched-off.ts';
import { readPriceDifferences } from './ledger/price-differences.ts';
import type { PriceDifference } from './ledger/price-differences.ts';
import { countLongPrompts, readPromptsToAsk } from './ledger/prompts-to-ask.ts';
import { readStatus } from './ledger/status.ts';
import type { EngineStatus } from './ledger/status.ts';

/** An engine that the operator has set up, with the state of its readings. */
export interface CollectionEngine extends EngineStatus {
  readonly model: string;
  readonly hasSearch: boolean;
  /** The most that one reading may cost; null if unknown, and then the engine is not asked. */
  readonly boundUsd: number | null;
}

export type Forecast = ReturnType<typeof forecast>;

/** The settings and the state of collecting in a workspace. */
export interface Collection {
  readonly prompts: {
    /** Prompts that are asked. */
    readonly on: number;
    readonly active: number;
    /** Prompts that are on and too long to be asked. */
    readonly long: number;
  };
  /** Null if no budget is set, and then nothing is asked. */
  readonly allowance: SpentAllowance | null;
  /** The most that an admin may set; null if the operator allows nothing. */
  readonly caps: AdminCaps | null;
  readonly engines: readonly CollectionEngine[];
  /** Estimates for the current number of sweeps, and for 1, 3 and 5; null without an engine. */
  readonly estimate: CollectEstimate | null;
  readonly tomorrow: Forecast | null;
  /** Engines whose reported costs differ from the price list. */
  readonly priceDifferences: readonly PriceDifference[];
}

interface CollectionQuery {
  readonly nowMs: number;
  readonly days: number;
  /** Prices that the operator has given. */
  readonly prices?: readonly PriceRow[] | undefined;
}

const usualSweeps = [1, 3, 5];

/** Reads everything that the page of collection shows. Writes nothing. */
export async function readCollection(
  store: Store,
  workspaceId: string,
  { nowMs, days, prices = [] }: CollectionQuery,
): Promise<Collection> {
  const clock = (): number => nowMs;
  const prompts = await countPrompts(store, workspaceId);
  const ledger = await store.ledger();
  const none = {
    allowance: null,
    caps: null,
    engines: [],
    estimate: null,
    priceDifferences: [],
  };
  if (ledger === undefined) return { prompts, ...none, tomorrow: null };
  const allowance = (await readBudget(ledger, workspaceId, { clock })) ?? null;
  const caps = await readAdminCaps(ledger, workspaceId);
  const engines = await readCollectionEngines(store, ledger, { workspaceId, days, prices, clock });
  const sweeps = [
    ...new Set([allowance?.sweeps ?? 0, ...usualSweeps].filter((each) => each > 0)),
  ].toSorted((left, right) => left - right);
  const estimate = engines.some(({ offReason }) => !isOffByChoice(offReason))
    ? await estimateCollecting(store, workspaceId, { sweeps, prices, clock })
    : null;
  const tomorrow =
    allowance === null || estimate === null
      ? null
      : forecast({ prompts, allowance, engines, estimate, nowMs });
  const names = engines.map(({ engine }) => engine);
  const priceDifferences = await readPriceDifferences(ledger, workspaceId, names);
  const money = { allowance, caps, tomorrow, priceDifferences };
  return { prompts, ...money, engines, estimate };
}

async function countPrompts(store: Store, workspaceId: string): Promise<Collection['prompts']> {
  const { active } = await store.reader
    .selectFrom('prompts')
    .select(({ fn }) => fn.countAll<number | string>().as('active'))
    .where('workspace_id', '=', workspaceId)
    .where('active', '=', true)
    .executeTakeFirstOrThrow();
  const prompts = await readPromptsToAsk(store, workspaceId);
  const long = await countLongPrompts(store, workspaceId);
  return { active: Number(active), on: prompts.length, long };
}

async function readCollectionEngines(
  store: Store,
  ledger: Ledger,
  {
    workspaceId,
    days,
    prices,
    clock,
  }: { workspaceId: string; days: number; prices: readonly PriceRow[]; clock: () => number },
): Promise<CollectionEngine[]> {
  const paced = new Map(
    (await readEngines(store, ledger, { rows: prices, nowMs: clock() })).map((each) => [
      each.name,
      each,
    ]),
  );
  const { engines } = await readStatus(store, workspaceId, { days, clock });
  return engines.map((engine) => {
    const { target, boundMicros } = paced.get(engine.engine) ?? {};
    return {
      ...engine,
      model: target?.model ?? '',
      hasSearch: target?.hasSearch ?? false,
      boundUsd: boundMicros === undefined ? null : toUsd(boundMicros),
    };
  });
}

/** The number of questions on the next UTC day, and their cost. */
function forecast({
  prompts,
  allowance,
  engines,
  estimate,
  nowMs,
}: Pick<Collection, 'prompts' | 'engines'> & {
  readonly allowance: NonNullable<Collection['allowance']>;
  readonly estimate: CollectEstimate;
  readonly nowMs: number;
}) {
  const askedToday = new Set(
    engines
      .filter(({ offReason, boundUsd }) => offReason === null && boundUsd !== null)
      .map(({ engine }) => engine),
  );
  const priced = estimate.engines.filter(({ engine }) => prompts.on > 0 && askedToday.has(engine));
  const plans = priced.flatMap(({ plans: all }) =>
    all.filter(({ sweeps }) => sweeps === allowance.sweeps),
  );
  const tomorrow = addDays(utcDay(nowMs), 1);
  const month = allowance.periods.find(({ period }) => period === tomorrow.slice(0, 7));
  const left =
    month === undefined
      ? allowance.monthUsd
      : Math.max(0, month.capUsd - month.spentUsd - month.heldUsd);
  const sum = (pick: (plan: (typeof plans)[number]) => number): number =>
    plans.reduce((all, plan) => all + pick(plan), 0);
  return {
    engines: [...askedToday],
    prompts: prompts.on,
    questions: sum(({ readingsDay }) => readingsDay),
    usd: sum(({ dayUsd }) => dayUsd ?? 0),
    /** Whether only the most that an answer may cost is known. */
    isBound: priced.every(({ basis }) => basis === 'bound'),
    /** The cost if each answer costs as much as the 90th percentile, or as its bound. */
    highUsd: sum(({ dayUsd, dayHighUsd }) => dayHighUsd ?? dayUsd ?? 0),
    /** The amount that the day's budget and the rest of the month's budget allow. */
    allowedUsd: Math.min(allowance.dayUsd, left),
    /** The cost of 30 days like tomorrow, and the budget of a month. */
    monthUsd: sum(({ monthUsd }) => monthUsd ?? 0),
    monthCapUsd: allowance.monthUsd,
  };
}
