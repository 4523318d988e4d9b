import type { Transaction } from 'kysely';
import type { LedgerTables } from '../../storage/schema.ts';
import { periodsOf } from './periods.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { toMicros, toUsd } from './micros.ts';

/** The scope of all workspaces and engines together; any other scope is an engine. */
export const everything = '';

/** A question that the operator pays for. */
export interface PaidQuestion {
  readonly engine: string;
  /** The question's UTC day. */
  readonly day: string;
  /** The token of the question's claim. */
  readonly token: string | null;
}

/** Which of the operator's caps would be exceeded, or that too many questions are open. */
export type OperatorShortage = 'over_engine_cap' | 'over_operator_cap' | 'no_slot';

/**
 * Reserves the bound of a question in the operator's budgets, and takes one of the engine's slots
 * if their number is limited. If there is too little of one, returns which, and the caller must
 * roll back.
 */
export async function holdForOperator(
  transaction: Transaction<LedgerTables>,
  { engine, day, token }: PaidQuestion,
  { boundMicros, now, leaseUntil }: { boundMicros: number; now: string; leaseUntil: string },
): Promise<OperatorShortage | undefined> {
  const caps = await transaction
    .selectFrom('operator_caps')
    .selectAll()
    .where('scope', 'in', [engine, everything])
    .execute();
  const [ofDay, ofMonth] = periodsOf(day);
  for (const scope of [engine, everything]) {
    const scopeCap = caps.find((each) => each.scope === scope);
    for (const [period, cap = null] of [
      [ofDay, scopeCap?.day_micros],
      [ofMonth, scopeCap?.month_micros],
    ] as const) {
      if (!(await holdIn(transaction, { scope, period }, { boundMicros, cap }))) {
        return scope === everything ? 'over_operator_cap' : 'over_engine_cap';
      }
    }
  }
  const slots = caps.find(({ scope }) => scope === engine)?.open_max ?? null;
  if (slots === null) return undefined;
  const slot = { engine, claim: token ?? '', lease_until: leaseUntil };
  return (await takeSlot(transaction, slot, { slots, now })) ? undefined : 'no_slot';
}

/**
 * Books the cost in the operator's budgets, as `book` does in a workspace's, and frees the slot of
 * the question.
 */
export async function bookForOperator(
  transaction: Transaction<LedgerTables>,
  { engine, day, token }: PaidQuestion,
  { releasedMicros, spentMicros }: { releasedMicros: number; spentMicros: number },
): Promise<void> {
  for (const scope of [engine, everything]) {
    for (const period of periodsOf(day)) {
      await transaction
        .updateTable('operator_budgets')
        .set((row) => ({
          held_micros: row('held_micros', '-', releasedMicros),
          spent_micros: row('spent_micros', '+', spentMicros),
        }))
        .where('scope', '=', scope)
        .where('period', '=', period)
        .execute();
    }
  }
  await transaction
    .deleteFrom('engine_slots')
    .where('engine', '=', engine)
    .where('claim', '=', token ?? '')
    .execute();
}

/** The row is made when it is first needed. */
async function holdIn(
  transaction: Transaction<LedgerTables>,
  key: { readonly scope: string; readonly period: string },
  { boundMicros, cap }: { boundMicros: number; cap: number | null },
): Promise<boolean> {
  for (const isThere of [false, true]) {
    const { numUpdatedRows } = await transaction
      .updateTable('operator_budgets')
      .set((row) => ({ held_micros: row('held_micros', '+', boundMicros) }))
      .where('scope', '=', key.scope)
      .where('period', '=', key.period)
      .$if(cap !== null, (query) =>
        query.where((row) =>
          row(row('spent_micros', '+', row.ref('held_micros')), '<=', (cap ?? 0) - boundMicros),
        ),
      )
      .executeTakeFirst();
    if (numUpdatedRows > 0n || isThere) return numUpdatedRows > 0n;
    await transaction
      .insertInto('operator_budgets')
      .values({ ...key, spent_micros: 0, held_micros: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return false;
}

/** A slot whose lease has ended belongs to a process that died. */
async function takeSlot(
  transaction: Transaction<LedgerTables>,
  row: { readonly engine: string; readonly claim: string; readonly lease_until: string },
  { slots, now }: { slots: number; now: string },
): Promise<boolean> {
  const rows = await transaction
    .selectFrom('engine_slots')
    .select('slot')
    .where('engine', '=', row.engine)
    .where('lease_until', '>=', now)
    .execute();
  const used = new Set(rows.map(({ slot }) => slot));
  for (let slot = 0; slot < slots && rows.length < slots; slot += 1) {
    if (used.has(slot)) continue;
    const { claim, lease_until } = row;
    const newSlot = await transaction
      .insertInto('engine_slots')
      .values({ ...row, slot })
      .onConflict((conflict) =>
        conflict
          .columns(['engine', 'slot'])
          .doUpdateSet({ claim, lease_until })
          .where('engine_slots.lease_until', '<', now),
      )
      .returning('slot')
      .executeTakeFirst();
    if (newSlot !== undefined) return true;
  }
  return false;
}

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

/** The operator's budget of an engine, or of everything: the current UTC day, then the month. */
export type OperatorBudget = Awaited<ReturnType<typeof readOperatorBudget>>;
export type OperatorPeriod = OperatorBudget['periods'][number];

/**
 * Reads the operator's budget of an engine or, without an engine, of all workspaces and engines
 * together.
 */
export async function readOperatorBudget({ db }: Ledger, clock: () => number, scope = everything) {
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
  const of = (period: string, capMicros: number | null | undefined) => {
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
