import type { Transaction } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { LedgerTables } from '../../storage/ledger-tables.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { utcDay } from '../../values/utc-day.ts';
import { toMicros, toUsd } from './money.ts';
import { openLedger } from './open-ledger.ts';

/** What a workspace may spend, in USD, and how often a day it asks. */
export interface Allowance {
  readonly dayUsd: number;
  readonly monthUsd: number;
  readonly sweeps: number;
}

interface Period {
  readonly period: string;
  readonly capUsd: number;
  readonly spentUsd: number;
  /** What the readings under way may cost at most. */
  readonly heldUsd: number;
}

/** Sets the caps of a workspace. They hold from the next question on. */
export async function setAllowance(
  store: Store,
  workspaceId: string,
  { dayUsd, monthUsd, sweeps }: Allowance,
): Promise<void> {
  const ledger = await openLedger(store);
  const row = { day_micros: toMicros(dayUsd), month_micros: toMicros(monthUsd), sweeps };
  await ledger.write((transaction) =>
    transaction
      .insertInto('allowances')
      .values({ workspace_id: workspaceId, ...row })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
      .execute(),
  );
}

/** The caps of a workspace. Throws a `Refusal` if it has none: then nothing is asked. */
export async function readAllowance(ledger: Ledger, workspaceId: string): Promise<Allowance> {
  const found = await ledger.db
    .selectFrom('allowances')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('budget_missing', {});
  const { day_micros: day, month_micros: month, sweeps } = found;
  return { dayUsd: toUsd(day), monthUsd: toUsd(month), sweeps };
}

/** What a workspace has spent and holds today and this month, in UTC. */
export async function readBudget(
  ledger: Ledger,
  workspaceId: string,
  { clock }: { clock: () => number },
): Promise<{ readonly sweeps: number; readonly periods: readonly Period[] }> {
  const { dayUsd, monthUsd, sweeps } = await readAllowance(ledger, workspaceId);
  const [day, month] = periodsOf(utcDay(clock()));
  const rows = await ledger.db
    .selectFrom('budgets')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('period', 'in', [day, month])
    .execute();
  const of = (period: string, capUsd: number): Period => {
    const row = rows.find((each) => each.period === period);
    const spentUsd = toUsd(row?.spent_micros ?? 0);
    return { period, capUsd, spentUsd, heldUsd: toUsd(row?.held_micros ?? 0) };
  };
  return { sweeps, periods: [of(day, dayUsd), of(month, monthUsd)] };
}

/** A workspace's money for the readings of one day. */
interface Purse {
  readonly workspaceId: string;
  readonly day: string;
}

/**
 * Holds what a reading may cost at most, in the budgets of its day and month. False if one of them
 * would pass its cap: then roll back.
 */
export async function hold(
  transaction: Transaction<LedgerTables>,
  { workspaceId, day }: Purse,
  boundMicros: number,
): Promise<boolean> {
  const caps = await transaction
    .selectFrom('allowances')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (caps === undefined) return false;
  const [ofDay, ofMonth] = periodsOf(day);
  for (const [period, cap] of [
    [ofDay, caps.day_micros],
    [ofMonth, caps.month_micros],
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
    if (numUpdatedRows === 0n) return false;
  }
  return true;
}

/** Moves money: what is no longer held, and what was spent. */
export async function book(
  transaction: Transaction<LedgerTables>,
  { workspaceId, day }: Purse,
  { releasedMicros, spentMicros }: { releasedMicros: number; spentMicros: number },
): Promise<void> {
  for (const period of periodsOf(day)) {
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
}

/** The day first: transactions that lock both in another order could wait for each other for ever. */
function periodsOf(day: string): [day: string, month: string] {
  return [day, day.slice(0, 7)];
}
