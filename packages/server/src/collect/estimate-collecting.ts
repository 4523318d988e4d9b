import { Refusal } from '../refusals.ts';
import { countCited } from '../storage/counts/packed-counts.ts';
import { readRunCounts } from '../storage/counts/run-counts.ts';
import type { Ledger, Store } from '../storage/store.ts';
import type { Proportion } from '../values/statistics/distributions.ts';
import {
  repeatHalfWidth,
  roundFigure,
  usualVarianceWithin,
  varianceWithin,
} from '../values/statistics/estimate.ts';
import { roundRatio } from '../values/statistics/share-of-voice.ts';
import { addDays, utcDay } from '../values/time/utc-day.ts';
import type { PriceRow } from './engines/prices.ts';
import { searchFee, usualCost } from './engines/cost.ts';
import { readCosts } from './ledger/costs.ts';
import { toMicros, toUsd } from './ledger/micros.ts';
import { promptCharactersMax, promptLength } from './ledger/prompts-to-ask.ts';
import { requireLedger } from './ledger/require-ledger.ts';
import { readEngines } from './ledger/paced-engines.ts';
import type { PacedEngine } from './ledger/paced-engines.ts';
import { isOffByChoice } from './ledger/switched-off.ts';

/** Days of a month. Only answers of as many last days count. */
const monthDays = 30;
/** Fewer answers say little about their cost. */
const costsMin = 20;

/** The cost of a question to an engine, and how it is known. Null if unknown. */
interface QuestionCost {
  /**
   * `ledger`: earlier answers with the engine's current settings. `prices`: the price list with
   * recorded volumes. `bound`: the most that a reading may cost.
   */
  readonly basis: 'ledger' | 'prices' | 'bound' | 'unknown';
  readonly meanUsd: number | null;
  /** The 90th percentile; null if only the mean is known. */
  readonly highUsd: number | null;
  /** The part of the mean that is the fee for searches. */
  readonly searchPart: number | null;
}

/** The cost of a number of readings per day, and the precision of the rates. */
export interface Plan {
  readonly sweeps: number;
  readonly readingsDay: number;
  readonly readingsMonth: number;
  readonly dayUsd: number | null;
  readonly dayHighUsd: number | null;
  readonly monthUsd: number | null;
  readonly monthHighUsd: number | null;
  /**
   * Half the width of the 95 % interval of a rate for the same prompts, over one day and over 7
   * days.
   */
  readonly halfWidthDay: number | null;
  readonly halfWidthWeek: number | null;
}

export interface EngineEstimate extends QuestionCost {
  readonly engine: string;
  readonly model: string;
  /** Whether the interval is computed from the workspace's runs or from a typical brand. */
  readonly spread: 'own' | 'usual';
  readonly plans: readonly Plan[];
}

export interface CollectEstimate {
  readonly prompts: number;
  /** False if no prompt is switched on, and then all active prompts are counted. */
  readonly isOn: boolean;
  readonly engines: readonly EngineEstimate[];
}

/**
 * Estimates the cost of each number of sweeps per day, and the width of the resulting intervals.
 * Writes nothing. Throws a `Refusal` if no engine is set up.
 */
export async function estimateCollecting(
  store: Store,
  workspaceId: string,
  {
    sweeps,
    prices = [],
    clock,
  }: { sweeps: readonly number[]; prices?: readonly PriceRow[]; clock: () => number },
): Promise<CollectEstimate> {
  const ledger = await requireLedger(store);
  const pricing = { workspaceId, rows: prices, nowMs: clock() };
  const engines = (await readEngines(store, ledger, pricing)).filter(
    ({ offReason }) => !isOffByChoice(offReason),
  );
  if (engines.length === 0) throw new Refusal('engine_missing', {});
  const active = await store.reader
    .selectFrom('prompts')
    .select(['locale', 'collect'])
    .where('workspace_id', '=', workspaceId)
    .where('active', '=', true)
    .where(promptLength, '<=', promptCharactersMax)
    .execute();
  const on = active.filter(({ collect }) => Boolean(collect));
  const isOn = on.length > 0;
  const prompts = isOn ? on : active;
  const locales = [...new Set(prompts.map(({ locale }) => locale))];
  const today = utcDay(clock());
  const period = { workspaceId, from: addDays(today, 1 - monthDays), to: today };
  const estimate = async (engine: PacedEngine): Promise<EngineEstimate> => {
    const { name, target } = engine;
    const cost = await readCost(ledger, engine, { ...period, locales });
    const engineVariance = varianceWithin(await readPrompts(store, name, period));
    const variance = engineVariance ?? usualVarianceWithin;
    return {
      engine: name,
      model: target.model,
      ...cost,
      spread: engineVariance === undefined ? 'usual' : 'own',
      plans: sweeps.map((each) => planOf(each, { prompts: prompts.length, cost, variance })),
    };
  };
  const estimates: EngineEstimate[] = [];
  for (const engine of engines) estimates.push(await estimate(engine));
  return { prompts: prompts.length, isOn, engines: estimates };
}

interface Period {
  readonly workspaceId: string;
  readonly from: string;
  readonly to: string;
}

async function readCost(
  ledger: Ledger,
  engine: PacedEngine,
  { workspaceId, to: today, locales }: Period & { locales: string[] },
): Promise<QuestionCost> {
  const { adapter, target, boundMicros } = engine;
  const rows = await readCosts(ledger, engine, { workspaceId, today, locales });
  const fee = target.hasSearch ? searchFee(adapter, target.model) : 0;
  if (rows.length >= costsMin) {
    const costs = rows.map((row) => row.cost_micros ?? 0).toSorted((left, right) => left - right);
    const meanUsd = toUsd(Math.round(mean(costs)));
    const highUsd = toUsd(costs[Math.ceil(costs.length * 0.9) - 1] ?? 0);
    const searches = mean(rows.flatMap((row) => row.searches ?? []));
    return { basis: 'ledger', meanUsd, highUsd, searchPart: partOf(meanUsd, searches, fee) };
  }
  const usual = usualCost(adapter, target);
  if (usual !== undefined) {
    const meanUsd = toUsd(toMicros(usual.usd));
    const searchPart = partOf(meanUsd, usual.searches, fee);
    return { basis: 'prices', meanUsd, highUsd: null, searchPart };
  }
  if (boundMicros === undefined) {
    return { basis: 'unknown', meanUsd: null, highUsd: null, searchPart: null };
  }
  const usd = toUsd(boundMicros);
  return {
    basis: 'bound',
    meanUsd: usd,
    highUsd: usd,
    searchPart: partOf(usd, target.searchesMax, fee),
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((all, each) => all + each, 0) / values.length;
}

function partOf(usd: number, searches: number, fee: number | undefined): number | null {
  if (fee === undefined) return null;
  return usd === 0 ? 0 : Math.min(1, roundRatio(Math.round(searches * fee * 1e6), usd * 1e6));
}

/** Counts, per prompt, the counted runs in which an engine cited the brand. */
async function readPrompts(
  { reader }: Store,
  engine: string,
  { workspaceId, from, to }: Period,
): Promise<Proportion[]> {
  const brand = await reader
    .selectFrom('subjects')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('subject_type', '=', 'brand')
    .executeTakeFirst();
  const prompts = new Map<string, Proportion>();
  for await (const rows of readRunCounts(reader, workspaceId, { from, to, engine })) {
    for (const row of rows) {
      const cited = countCited(row, brand?.id ?? '');
      for (const [index, id] of row.names.prompts.entries()) {
        const { part, whole } = prompts.get(id) ?? { part: 0, whole: 0 };
        prompts.set(id, {
          part: part + (cited[index] ?? 0),
          whole: whole + (row.runs[index] ?? 0),
        });
      }
    }
  }
  return [...prompts.values()];
}

function planOf(
  sweeps: number,
  { prompts, cost, variance }: { prompts: number; cost: QuestionCost; variance: number },
): Plan {
  const readingsDay = prompts * sweeps;
  const times = (usd: number | null, readings: number): number | null =>
    usd === null ? null : toUsd(Math.round(usd * readings * 1e6));
  const half = (days: number): number | null => {
    const width = repeatHalfWidth(variance, readingsDay * days);
    return width === undefined ? null : roundFigure(width);
  };
  return {
    sweeps,
    readingsDay,
    readingsMonth: readingsDay * monthDays,
    dayUsd: times(cost.meanUsd, readingsDay),
    dayHighUsd: times(cost.highUsd, readingsDay),
    monthUsd: times(cost.meanUsd, readingsDay * monthDays),
    monthHighUsd: times(cost.highUsd, readingsDay * monthDays),
    halfWidthDay: half(1),
    halfWidthWeek: half(7),
  };
}
