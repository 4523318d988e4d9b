import type { Ledger, Store } from '../storage/store.ts';
import { readRestore } from '../storage/ledger-home.ts';
import { utcDay } from '../values/time/utc-day.ts';
import type { PriceRow } from './engines/prices.ts';
import { estimateCollecting } from './estimate-collecting.ts';
import type { CollectEstimate } from './estimate-collecting.ts';
import { readAdminCaps, readBudget, selectAllowance, setAllowance } from './ledger/budgets.ts';
import { readEnginesOn } from './ledger/costs.ts';
import { toUsd } from './ledger/micros.ts';
import { boundFor, readEngines } from './ledger/paced-engines.ts';
import { currentSweep, sweepsNow } from './ledger/plan.ts';
import { readPromptsToAsk } from './ledger/prompts-to-ask.ts';
import { requireLedger } from './ledger/require-ledger.ts';
import { isOffByChoice } from './ledger/switched-off.ts';
import { restoredTodayWords } from './ledger/restored-today.ts';

/** What it would cost to ask every prompt that is on once, on each engine that is on. */
export interface AskingPrice {
  /** Prompts that are on. */
  readonly prompts: number;
  /** Engines that are on and whose cost has a bound, with that of one question. */
  readonly engines: ReadonlyArray<{ readonly engine: string; readonly boundUsd: number }>;
  /** Questions that the running sweep has not asked yet. */
  readonly questions: number;
  /** The most that these questions may cost. */
  readonly mostUsd: number;
  /** Their usual cost; null if it is not known for each engine. */
  readonly usualUsd: number | null;
  /** How often a day each prompt is asked; 0 without a schedule, null without a budget. */
  readonly sweeps: number | null;
  /** Whether the operator allows admins of this workspace a budget. */
  readonly isAllowed: boolean;
  /** Why nothing of the running sweep is asked, if the ledger was restored today. */
  readonly notes: readonly string[];
  /** The cost of 1, 3 and 5 sweeps a day. */
  readonly estimate: CollectEstimate | null;
}

interface AskingQuery {
  readonly nowMs: number;
  /** Prices that the operator has given. */
  readonly prices?: readonly PriceRow[] | undefined;
}

const sweepsOffered = [1, 3, 5];

/** Reads the price of asking now. Writes nothing. */
export async function readAskingPrice(
  store: Store,
  workspaceId: string,
  { nowMs, prices = [] }: AskingQuery,
): Promise<AskingPrice> {
  const prompts = await readPromptsToAsk(store, workspaceId);
  const ledger = await store.ledger();
  const none = {
    prompts: prompts.length,
    engines: [],
    questions: 0,
    mostUsd: 0,
    usualUsd: null,
    sweeps: null,
    isAllowed: false,
    notes: [],
    estimate: null,
  };
  if (ledger === undefined) return none;
  const clock = () => nowMs;
  const allowance = await selectAllowance(ledger.db, workspaceId);
  const { restoredAt } = await readRestore(ledger);
  const { on } = await readEnginesOn(store, ledger, { workspaceId, prices, nowMs });
  const asked = await readAsked(ledger, workspaceId, { nowMs, sweeps: allowance?.sweeps ?? 0 });
  const estimate =
    on.length === 0
      ? null
      : await estimateCollecting(store, workspaceId, { sweeps: sweepsOffered, prices, clock });
  const meanOf = new Map(estimate?.engines.map(({ engine, meanUsd }) => [engine, meanUsd]));
  const engines = on.flatMap((engine) => {
    const { name, boundMicros } = engine;
    if (boundMicros === undefined) return [];
    const open = prompts.filter(({ id }) => !asked.has(`${id} ${name}`));
    const micros = open.reduce((sum, each) => sum + boundFor({ ...engine, boundMicros }, each), 0);
    const mean = meanOf.get(name) ?? null;
    const usual = mean === null ? null : mean * open.length;
    return [{ name, boundMicros, questions: open.length, micros, usual }];
  });
  const usual = engines.map((engine) => engine.usual);
  const sum = (values: readonly number[]): number =>
    values.reduce((total, each) => total + each, 0);
  return {
    ...none,
    engines: engines.map(({ name, boundMicros }) => ({
      engine: name,
      boundUsd: toUsd(boundMicros),
    })),
    questions: sum(engines.map(({ questions }) => questions)),
    mostUsd: toUsd(sum(engines.map(({ micros }) => micros))),
    usualUsd: usual.includes(null) ? null : sum(usual.map((each) => each ?? 0)),
    sweeps: allowance?.sweeps ?? null,
    isAllowed: (await readAdminCaps(ledger, workspaceId)) !== null,
    notes: restoredTodayWords(restoredAt, nowMs),
    estimate,
  };
}

/** The prompts of the running sweep that each engine was asked, or is being asked. */
async function readAsked(
  { db }: Ledger,
  workspaceId: string,
  { nowMs, sweeps }: { nowMs: number; sweeps: number },
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('readings')
    .select(['prompt_id', 'engine'])
    .where('workspace_id', '=', workspaceId)
    .where('day', '=', utcDay(nowMs))
    .where('sweep', '=', currentSweep(nowMs, sweepsNow({ sweeps })))
    .where('state', '<>', 'planned')
    .execute();
  return new Set(rows.map(({ prompt_id: id, engine }) => `${id} ${engine}`));
}

/**
 * Raises the budget of a workspace without a schedule so that it may spend this much more today. A
 * workspace with a schedule keeps its budget. Throws a `Refusal` if the operator allows an admin
 * less.
 */
export async function allowOnce(
  store: Store,
  workspaceId: string,
  { usd, isOperator, clock }: { usd: number; isOperator: boolean; clock: () => number },
): Promise<void> {
  const ledger = await requireLedger(store);
  const before = await readBudget(ledger, workspaceId, { clock });
  if (before !== undefined && before.sweeps > 0) return;
  const [day, month] = [0, 1].map((place) => {
    const { capUsd = 0, spentUsd = 0, heldUsd = 0 } = before?.periods[place] ?? {};
    return Math.max(capUsd, spentUsd + heldUsd + usd);
  });
  const budget = { dayUsd: day ?? usd, monthUsd: month ?? usd, sweeps: 0 };
  await setAllowance(store, workspaceId, budget, { isOperator, keepsCaps: true });
}

/** How asking went since a moment. */
export interface AskingProgress {
  readonly open: number;
  readonly done: number;
  readonly costUsd: number;
  /** Questions without an answer, by engine and fault. */
  readonly failed: ReadonlyArray<{
    readonly engine: string;
    readonly fault: string;
    readonly count: number;
  }>;
  /** Engines that are off, or ask clients to wait, with the reason or the moment. */
  readonly stopped: ReadonlyArray<{
    readonly engine: string;
    readonly offReason: string | null;
    readonly waitUntil: string | null;
  }>;
}

/** Counts the readings that were sent since a moment. */
export async function readAskingProgress(
  store: Store,
  workspaceId: string,
  { since, nowMs }: { since: string; nowMs: number },
): Promise<AskingProgress> {
  const ledger = await store.ledger();
  if (ledger === undefined) return { open: 0, done: 0, costUsd: 0, failed: [], stopped: [] };
  const rows = await ledger.db
    .selectFrom('readings')
    .select(({ fn }) => [
      'engine',
      'state',
      'fault',
      fn.countAll<number | string>().as('count'),
      fn.sum<number | null>('cost_micros').as('cost'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', since.slice(0, 10))
    .where('sent_at', '>=', since)
    .groupBy(['engine', 'state', 'fault'])
    .orderBy('engine')
    .orderBy('fault')
    .execute();
  const count = (state: string): number =>
    rows.reduce((sum, row) => sum + (row.state === state ? Number(row.count) : 0), 0);
  const engines = await readEngines(store, ledger, { workspaceId, rows: [], nowMs });
  return {
    open: count('sent'),
    done: count('done'),
    costUsd: toUsd(rows.reduce((sum, { cost }) => sum + (cost ?? 0), 0)),
    failed: rows.flatMap(({ engine, state, fault, count: failed }) =>
      state === 'failed' || state === 'unknown'
        ? [{ engine, fault: fault ?? state, count: Number(failed) }]
        : [],
    ),
    stopped: engines.flatMap(({ name: engine, offReason, waitUntilMs }) => {
      const isWaiting = waitUntilMs > nowMs;
      if ((offReason === null || isOffByChoice(offReason)) && !isWaiting) return [];
      const waitUntil = isWaiting ? new Date(waitUntilMs).toISOString() : null;
      return [{ engine, offReason, waitUntil }];
    }),
  };
}
