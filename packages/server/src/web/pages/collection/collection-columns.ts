import type { CollectionEngine } from '../../../collect/collection.ts';
import type { EngineEstimate, Plan } from '../../../collect/estimate-collecting.ts';
import { thousands } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import { engineName } from '../../../values/engine.ts';
import { counts } from '../../parts/table.ts';
import type { Column, Columns } from '../../parts/table.ts';

/** A column of amounts in US dollars; null if an amount is not known. */
function amounts<Row>(title: string, usd: (row: Row) => number | null): Column<Row> {
  return {
    title,
    cell: (row) => amountWords(usd(row)),
    isNumber: true,
  };
}

function amountWords(usd: number | null): string {
  return usd === null ? 'unknown' : dollars(usd);
}

/** Explains whether an engine is asked and, if not, why and what an operator does on the page Engines. */
function stateWords({ offReason, boundUsd, waitUntil }: CollectionEngine): string {
  if (offReason === 'disabled') return 'off: switched on again under Engines';
  if (offReason === 'not_chosen') return 'not among the engines of this workspace';
  if (offReason === 'restored') {
    return 'off because the ledger comes from a backup. Switched on again under Engines, it leaves out the sweeps of the day that have begun by then';
  }
  if (offReason !== null) {
    return `off because of ${offReason}: its key, quota, model and address are set under Engines`;
  }
  if (boundUsd === null) {
    return 'not asked: the cost of an answer is unknown. The most that it may cost is set under Engines';
  }
  return waitUntil === null ? 'on' : `on; it asks clients to wait until ${waitUntil}`;
}

export const engineColumns: Columns<CollectionEngine> = [
  { title: 'Engine', cell: ({ engine }) => engineName(engine) },
  { title: 'Model', cell: ({ model }) => model },
  { title: 'State', cell: stateWords },
  counts('Planned', ({ readings }) => readings.planned),
  counts('Sent', ({ readings }) => readings.sent),
  counts('Done', ({ readings }) => readings.done),
  counts('Failed', ({ readings }) => readings.failed),
  counts('Unknown', ({ readings }) => readings.unknown),
  counts('Missed', ({ readings }) => readings.missed),
  counts('Skipped', ({ readings }) => readings.skipped),
  amounts('Cost', ({ costUsd }) => costUsd),
  amounts('An answer up to', ({ boundUsd }) => boundUsd),
];

export interface EstimateRow {
  readonly engine: EngineEstimate;
  readonly plan: Plan;
}

const bySource = {
  ledger: 'the last answers',
  prices: 'the price list',
  bound: 'the most it may cost',
  unknown: 'unknown',
} as const satisfies Record<EngineEstimate['basis'], string>;

export const estimateColumns: Columns<EstimateRow> = [
  {
    title: 'Engine',
    cell: ({ engine }) => engineName(engine.engine),
  },
  counts('Times a day', ({ plan }) => plan.sweeps),
  counts('Questions a day', ({ plan }) => plan.readingsDay),
  amounts('Cost a day', ({ plan }) => plan.dayUsd),
  amounts('Up to', ({ plan }) => plan.dayHighUsd),
  amounts('Cost in 30 days', ({ plan }) => plan.monthUsd),
  {
    title: 'Cost by',
    cell: ({ engine }) => bySource[engine.basis],
  },
  points('Exact by day', ({ halfWidthDay }) => halfWidthDay),
  points('Exact by week', ({ halfWidthWeek }) => halfWidthWeek),
];

/** Half of an interval, in points. */
function points(title: string, half: (plan: Plan) => number | null): Column<EstimateRow> {
  return {
    title,
    cell: ({ plan }) => {
      const width = half(plan);
      return width === null ? 'unknown' : `± ${(width * 100).toFixed(1)} points`;
    },
    isNumber: true,
  };
}

/** The number of questions in words: `150 questions`. */
export function questionsWords(questions: number): string {
  return questions === 1 ? '1 question' : `${thousands(questions)} questions`;
}
