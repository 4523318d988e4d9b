import type { Kysely, Selectable, Transaction } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { toMicros, toUsd } from './micros.ts';
import { engineNamed, readEngines } from './paced-engines.ts';
import { requireLedger } from './require-ledger.ts';
import { bookForOperator, holdForOperator } from './operator-budgets.ts';
import type { OperatorShortage, PaidQuestion } from './operator-budgets.ts';
import { periodsOf } from './periods.ts';
import type { PaidTable } from './periods.ts';

/** How often a day each prompt may be asked on each engine, and how often if nobody says. */
export const sweepsPerDay = { min: 1, max: 24, initial: 3 } as const;

/** The budget of a workspace in USD, and its number of sweeps per day. */
export interface Allowance {
  readonly dayUsd: number;
  readonly monthUsd: number;
  /** 0 if prompts are asked only when a person asks now. */
  readonly sweeps: number;
  /** The only engines to ask; null for every engine that is on, undefined keeps the choice. */
  readonly engines?: readonly string[] | null | undefined;
}

/** A UTC day or month. */
export interface BudgetPeriod {
  readonly period: string;
  readonly capUsd: number;
  readonly spentUsd: number;
  /** The most that the open readings may cost. */
  readonly heldUsd: number;
}

/** The most that an admin may set. */
export interface AdminCaps {
  readonly dayCapUsd: number;
  readonly monthCapUsd: number;
}

/**
 * Sets the budget of a workspace, from the next question on. The operator's budget is also the most
 * that an admin may set, unless `keepsCaps`. Returns whether anything changed. Throws a `Refusal` for an admin's budget
 * above that, if the operator allows none, and for an engine that was not set up.
 */
export async function setAllowance(
  store: Store,
  workspaceId: string,
  { dayUsd, monthUsd, sweeps, engines }: Allowance,
  { isOperator, keepsCaps = !isOperator }: { isOperator: boolean; keepsCaps?: boolean },
): Promise<boolean> {
  const ledger = await requireLedger(store);
  if (engines) engineNamed(await readEngines(store, ledger), engines);
  return ledger.write(async (db) => {
    const before = await selectAllowance(db, workspaceId);
    if (!isOperator) await refuseAboveCaps({ db }, workspaceId, { dayUsd, monthUsd });
    const row = {
      day_micros: toMicros(dayUsd),
      month_micros: toMicros(monthUsd),
      sweeps,
      // An admin's budget leaves the operator's as it is.
      day_cap_micros: keepsCaps ? ownCap(before, 'day') : toMicros(dayUsd),
      month_cap_micros: keepsCaps ? ownCap(before, 'month') : toMicros(monthUsd),
      engines: engines === undefined ? (before?.engines ?? null) : engineList(engines),
    };
    await db
      .insertInto('allowances')
      .values({ workspace_id: workspaceId, ...row })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
      .execute();
    return (
      before?.day_micros !== row.day_micros ||
      before.month_micros !== row.month_micros ||
      before.sweeps !== sweeps ||
      before.engines !== row.engines
    );
  });
}

/** A choice of engines in stored form. */
export function engineList(engines: readonly string[] | null): string | null {
  return engines && JSON.stringify([...new Set(engines)].toSorted());
}

/** The most that an admin of a workspace may set; null if the operator allows nothing. */
export async function readAdminCaps(
  { db }: Pick<Ledger, 'db'>,
  workspaceId: string,
): Promise<AdminCaps | null> {
  const caps = await selectAllowance(db, workspaceId);
  const all = await db
    .selectFrom('operator_caps')
    .selectAll()
    .where('scope', '=', '')
    .executeTakeFirst();
  const lowest = (period: 'day' | 'month'): number =>
    Math.min(ownCap(caps, period) ?? Infinity, all?.[`${period}_micros`] ?? Infinity);
  const [day, month] = [lowest('day'), lowest('month')];
  const isCapped = Number.isFinite(day) && Number.isFinite(month);
  return isCapped ? { dayCapUsd: toUsd(day), monthCapUsd: toUsd(month) } : null;
}

/** Throws a `Refusal` for an admin's budget above what the operator allows. */
export async function refuseAboveCaps(
  ledger: Pick<Ledger, 'db'>,
  workspaceId: string,
  { dayUsd, monthUsd }: Pick<Allowance, 'dayUsd' | 'monthUsd'>,
): Promise<void> {
  const caps = await readAdminCaps(ledger, workspaceId);
  if (caps === null) throw new Refusal('budget_missing', {});
  if (dayUsd > caps.dayCapUsd || monthUsd > caps.monthCapUsd) {
    throw new Refusal('budget_above_cap', caps);
  }
}

/** The operator's cap of this workspace; undefined if an admin set the first budget. */
function ownCap(row: AllowanceRow | undefined, period: 'day' | 'month'): number | null {
  return row?.[`${period}_cap_micros`] ?? null;
}

type AllowanceRow = Selectable<LedgerTables['allowances']>;

export function selectAllowance(
  db: Kysely<LedgerTables>,
  workspaceId: string,
): Promise<AllowanceRow | undefined> {
  return db
    .selectFrom('allowances')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

/** An allowance, and what is spent and reserved of it today and this month. */
export interface SpentAllowance extends Allowance {
  readonly periods: readonly BudgetPeriod[];
}

/** Reads the budget of a workspace with its spending; undefined if there is none. */
export async function readBudget(
  ledger: Ledger,
  workspaceId: string,
  { clock }: { clock: () => number },
): Promise<SpentAllowance | undefined> {
  const budget = await selectAllowance(ledger.db, workspaceId);
  if (budget === undefined) return undefined;
  const { day_micros: day, month_micros: month, sweeps } = budget;
  const periods = await readPeriods(ledger, { table: 'readings', workspaceId, budget, clock });
  return { dayUsd: toUsd(day), monthUsd: toUsd(month), sweeps, periods };
}

/** The same. Throws a `Refusal` if there is none, because then nothing is asked. */
export async function requireBudget(
  ledger: Ledger,
  workspaceId: string,
  { clock }: { clock: () => number },
): Promise<SpentAllowance> {
  const budget = await readBudget(ledger, workspaceId, { clock });
  if (budget === undefined) throw new Refusal('budget_missing', {});
  return budget;
}

/** Reads what a workspace has spent and reserved today and this month, in UTC. */
export async function readPeriods(
  { db }: Ledger,
  {
    table,
    workspaceId,
    budget,
    clock,
  }: { table: PaidTable; workspaceId: string; budget: Budget; clock: () => number },
): Promise<BudgetPeriod[]> {
  const today = utcDay(clock());
  const [day, month] = periodsOf(today);
  const [bookedDay, bookedMonth] = periodsOf(today, table);
  const rows = await db
    .selectFrom('budgets')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('period', 'in', [bookedDay, bookedMonth])
    .execute();
  const of = (period: string, booked: string, capMicros: number): BudgetPeriod => {
    const row = rows.find((each) => each.period === booked);
    const spentUsd = toUsd(row?.spent_micros ?? 0);
    const heldUsd = toUsd(row?.held_micros ?? 0);
    return { period, capUsd: toUsd(capMicros), spentUsd, heldUsd };
  };
  return [of(day, bookedDay, budget.day_micros), of(month, bookedMonth, budget.month_micros)];
}

/** A question, and the workspace that pays for it. */
interface Purse extends PaidQuestion {
  readonly table: PaidTable;
  readonly workspaceId: string;
}

/** The caps of a workspace. */
export type Budget = Pick<AllowanceRow, 'day_micros' | 'month_micros'>;

/** Which cap would be exceeded, or that too many questions are open. */
export type Shortage = 'over_budget' | OperatorShortage;

/**
 * Reserves the most that a reading may cost in the budgets of its day and month, the workspace's
 * and the operator's. If a budget is too small, returns which one, and the caller must roll back.
 */
export async function hold(
  transaction: Transaction<LedgerTables>,
  { table, workspaceId, budget, ...question }: Purse & { readonly budget: Budget },
  holding: { boundMicros: number; now: string; leaseUntil: string },
): Promise<Shortage | undefined> {
  const { boundMicros } = holding;
  const [ofDay, ofMonth] = periodsOf(question.day, table);
  for (const [period, cap] of [
    [ofDay, budget.day_micros],
    [ofMonth, budget.month_micros],
  ] as const) {
    await transaction
      .insertInto('budgets')
      .values({ workspace_id: workspaceId, period, spent_micros: 0, held_micros: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { numUpdatedRows } = await transaction
      .updateTable('budgets')
      .set((row) => ({ held_micros: row('held_micros', '+', boundMicros) }))
      .where('workspace_id', '=', workspaceId)
      .where('period', '=', period)
      .where((row) =>
        row(row('spent_micros', '+', row.ref('held_micros')), '<=', cap - boundMicros),
      )
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return 'over_budget';
  }
  return holdForOperator(transaction, question, holding);
}

/** Releases the amount reserved for a question, and adds its cost. */
export async function book(
  transaction: Transaction<LedgerTables>,
  { table, workspaceId, ...question }: Purse,
  { releasedMicros, spentMicros }: { releasedMicros: number; spentMicros: number },
): Promise<void> {
  for (const period of periodsOf(question.day, table)) {
    await transaction
      .updateTable('budgets')
      .set((row) => ({
        held_micros: row('held_micros', '-', releasedMicros),
        spent_micros: row('spent_micros', '+', spentMicros),
      }))
      .where('workspace_id', '=', workspaceId)
      .where('period', '=', period)
      .execute();
  }
  await bookForOperator(transaction, question, { releasedMicros, spentMicros });
}
