import type { CollectionEngine, Spending } from '../../../collect/collection.ts';
import type { EngineEstimate, Plan } from '../../../collect/estimate-collecting.ts';
import type { BudgetPeriod } from '../../../collect/ledger/budgets.ts';
import type { ListedReading } from '../../../collect/list-readings.ts';
import { thousands } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import { shortMinute } from '../../parts/moment-words.ts';
import type { Column } from '../../parts/table.ts';
import { counts } from '../crawlers/crawl-columns.ts';

/** A column of amounts in US dollars; null if an amount is not known. */
function amounts<Row>(title: string, usd: (row: Row) => number | null): Column<Row> {
  return {
    title,
    cell: (row) => amountWords(usd(row)),
    csv: usd,
    isNumber: true,
  };
}

function amountWords(usd: number | null): string {
  return usd === null ? 'unknown' : dollars(usd);
}

/** Explains whether an engine is asked and, if not, why and what an operator does on the page Engines. */
function stateWords({ offReason, boundUsd, waitUntil }: CollectionEngine): string {
  if (offReason === 'disabled') return 'off: switched on again under Engines';
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

export const engineColumns: ReadonlyArray<Column<CollectionEngine>> = [
  { title: 'Engine', cell: ({ engine }) => engineName(engine), csv: ({ engine }) => engine },
  { title: 'Model', cell: ({ model }) => model, csv: ({ model }) => model },
  { title: 'State', cell: stateWords, csv: stateWords },
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

export const periodColumns: ReadonlyArray<Column<BudgetPeriod>> = [
  { title: 'Period, UTC', cell: ({ period }) => period, csv: ({ period }) => period },
  amounts('Spent', ({ spentUsd }) => spentUsd),
  amounts('Held for open questions', ({ heldUsd }) => heldUsd),
  amounts('Budget', ({ capUsd }) => capUsd),
];

const bases = {
  reported: 'as the engine reports it',
  computed: 'by its use and the price list',
  bound: 'at most so much: the cost is not known',
} as const satisfies Record<Spending['basis'], string>;

export const spendingColumns: ReadonlyArray<Column<Spending>> = [
  { title: 'Period, UTC', cell: ({ period }) => period, csv: ({ period }) => period },
  { title: 'Known', cell: ({ basis }) => bases[basis], csv: ({ basis }) => basis },
  counts('Readings', ({ readings }) => readings),
  amounts('Cost', ({ usd }) => usd),
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

export const estimateColumns: ReadonlyArray<Column<EstimateRow>> = [
  {
    title: 'Engine',
    cell: ({ engine }) => engineName(engine.engine),
    csv: ({ engine }) => engine.engine,
  },
  counts('Times a day', ({ plan }) => plan.sweeps),
  counts('Questions a day', ({ plan }) => plan.readingsDay),
  amounts('Cost a day', ({ plan }) => plan.dayUsd),
  amounts('Up to', ({ plan }) => plan.dayHighUsd),
  amounts('Cost in 30 days', ({ plan }) => plan.monthUsd),
  {
    title: 'Cost by',
    cell: ({ engine }) => bySource[engine.basis],
    csv: ({ engine }) => engine.basis,
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
    csv: ({ plan }) => half(plan),
    isNumber: true,
  };
}

export const readingColumns = (nowMs: number): ReadonlyArray<Column<ListedReading>> => [
  { title: 'Due', cell: (row) => shortMinute(row.due_at, nowMs), csv: (row) => row.due_at },
  { title: 'Prompt', cell: ({ prompt }) => prompt, csv: ({ prompt }) => prompt },
  { title: 'Engine', cell: ({ engine }) => engineName(engine), csv: ({ engine }) => engine },
  {
    title: 'State',
    cell: ({ state, fault }) =>
      html`<span class="tag">${state}</span>${fault !== null && html` ${fault}`}`,
    csv: ({ state }) => state,
  },
  {
    title: 'Cost',
    cell: (row) => (row.cost_usd === null ? '' : dollars(row.cost_usd)),
    csv: (row) => row.cost_usd,
    isNumber: true,
  },
  {
    title: 'Known',
    cell: (row) => (row.cost_basis === null ? '' : bases[row.cost_basis]),
    csv: (row) => row.cost_basis,
  },
  { title: 'Model', cell: ({ model }) => model ?? '', csv: ({ model }) => model },
];

/** The number of questions in words: `150 questions`. */
export function questionsWords(questions: number): string {
  return questions === 1 ? '1 question' : `${thousands(questions)} questions`;
}
