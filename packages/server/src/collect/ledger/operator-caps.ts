import type { Ledger, Store } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { toMicros, toUsd } from './micros.ts';
import { everything } from './operator-budgets.ts';
import { periodsOf } from './periods.ts';

/**
 * The operator's caps of an engine, or of everything. Null removes a cap, undefined leaves it as it
 * is.
 */
export interface OperatorCaps {
  readonly dayUsd?: number | null | undefined;
  readonly monthUsd?: number | null | undefined;
  /** Most questions open at once, over all processes. */
  readonly openMax?: number | null | undefined;
}

/**
 * Sets caps of an engine, or of all workspaces and engines together. Creates the ledger if there is
 * none.
 */
export async function setOperatorCaps(
  store: Store,
  scope: string,
  { dayUsd, monthUsd, openMax }: OperatorCaps,
): Promise<void> {
  const none = { day_micros: null, month_micros: null, open_max: null };
  const caps = {
    ...(dayUsd !== undefined && { day_micros: dayUsd === null ? null : toMicros(dayUsd) }),
    ...(monthUsd !== undefined && { month_micros: monthUsd === null ? null : toMicros(monthUsd) }),
    ...(openMax !== undefined && { open_max: openMax }),
  };
  if (Object.keys(caps).length === 0) return;
  const ledger = await store.ledger({ mayCreate: true });
  await ledger?.write((transaction) =>
    transaction
      .insertInto('operator_caps')
      .values({ ...none, ...caps, scope })
      .onConflict((conflict) => conflict.column('scope').doUpdateSet(caps))
      .execute(),
  );
}

/** The operator's budget of an engine, or of everything, in the current UTC day or month. */
export interface OperatorPeriod {
  readonly period: string;
  readonly capUsd: number | null;
  readonly spentUsd: number;
  readonly heldUsd: number;
}

export interface OperatorBudget {
  /** The day, then the month. */
  readonly periods: readonly OperatorPeriod[];
  readonly openMax: number | null;
}

/**
 * Reads the operator's budget of an engine or, without an engine, of all workspaces and engines
 * together.
 */
export async function readOperatorBudget(
  { db }: Ledger,
  clock: () => number,
  scope = everything,
): Promise<OperatorBudget> {
  const caps = await db
    .selectFrom('operator_caps')
    .selectAll()
    .where('scope', '=', scope)
    .executeTakeFirst();
  const [day, month] = periodsOf(utcDay(clock()));
  const rows = await db
    .selectFrom('operator_budgets')
    .selectAll()
    .where('scope', '=', scope)
    .where('period', 'in', [day, month])
    .execute();
  const of = (period: string, capMicros: number | null | undefined): OperatorPeriod => {
    const row = rows.find((each) => each.period === period);
    return {
      period,
      capUsd: capMicros === null || capMicros === undefined ? null : toUsd(capMicros),
      spentUsd: toUsd(row?.spent_micros ?? 0),
      heldUsd: toUsd(row?.held_micros ?? 0),
    };
  };
  return {
    periods: [of(day, caps?.day_micros), of(month, caps?.month_micros)],
    openMax: caps?.open_max ?? null,
  };
}
