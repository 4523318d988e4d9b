import type { Kysely, Selectable } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { readAdminCaps } from '../ledger/budgets.ts';
import type { BudgetPeriod } from '../ledger/budgets.ts';
import { toMicros, toUsd } from '../ledger/micros.ts';
import { engineNamed, readEngines } from '../ledger/paced-engines.ts';
import { periodsOf } from '../ledger/periods.ts';
import { requireLedger } from '../ledger/require-ledger.ts';

/** How many answers of each prompt, engine and week are judged if nobody says. */
export const usualSample = 3;

/** Who judges the answers of a workspace, for how much, and which answers. */
export interface StanceBudget {
  /** The engine that judges. */
  readonly engine: string;
  readonly dayUsd: number;
  readonly monthUsd: number;
  /** Answers of each prompt, engine and ISO week; null for all. */
  readonly sample: number | null;
  /** Whether `serve` judges new answers every day. */
  readonly isDaily: boolean;
}

/**
 * Sets the judge of a workspace and its budget, from the next question on. Returns whether anything
 * changed. Throws a `Refusal` for an engine that was not set up, and for an admin's budget above
 * what the operator allows.
 */
export async function setStanceBudget(
  store: Store,
  workspaceId: string,
  { engine, dayUsd, monthUsd, sample, isDaily }: StanceBudget,
  { isOperator }: { isOperator: boolean },
): Promise<boolean> {
  const ledger = await requireLedger(store);
  engineNamed(await readEngines(store, ledger), [engine]);
  return ledger.write(async (db) => {
    const caps = isOperator ? undefined : await readAdminCaps({ db }, workspaceId);
    if (caps === null) throw new Refusal('budget_missing', {});
    if (caps !== undefined && (dayUsd > caps.dayCapUsd || monthUsd > caps.monthCapUsd)) {
      throw new Refusal('budget_above_cap', caps);
    }
    const before = await selectStanceBudget(db, workspaceId);
    const row = {
      engine,
      day_micros: toMicros(dayUsd),
      month_micros: toMicros(monthUsd),
      sample,
      is_daily: isDaily,
    };
    await db
      .insertInto('stance_budgets')
      .values({ workspace_id: workspaceId, ...row })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
      .execute();
    return (
      before?.engine !== engine ||
      before.day_micros !== row.day_micros ||
      before.month_micros !== row.month_micros ||
      before.sample !== sample ||
      Boolean(before.is_daily) !== isDaily
    );
  });
}

/** Forgets the judge of a workspace: nothing more is judged. Returns false if there was none. */
export async function removeStanceBudget(store: Store, workspaceId: string): Promise<boolean> {
  const ledger = await store.ledger();
  if (ledger === undefined) return false;
  const { numDeletedRows } = await ledger.write((db) =>
    db.deleteFrom('stance_budgets').where('workspace_id', '=', workspaceId).executeTakeFirst(),
  );
  return numDeletedRows > 0n;
}

type StanceBudgetRow = Selectable<LedgerTables['stance_budgets']>;

export function selectStanceBudget(
  db: Kysely<LedgerTables>,
  workspaceId: string,
): Promise<StanceBudgetRow | undefined> {
  return db
    .selectFrom('stance_budgets')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

/** Reads the judge of a workspace with its spending; undefined if nothing is judged. */
export async function readStanceBudget(
  store: Store,
  workspaceId: string,
  { clock }: { clock: () => number },
): Promise<(StanceBudget & { readonly periods: readonly BudgetPeriod[] }) | undefined> {
  const ledger = await store.ledger();
  const row = ledger && (await selectStanceBudget(ledger.db, workspaceId));
  if (row === undefined) return undefined;
  const periods = periodsOf(utcDay(clock()), 'judgements');
  const spent = await ledger?.db
    .selectFrom('budgets')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('period', 'in', periods)
    .execute();
  const caps = [row.day_micros, row.month_micros];
  return {
    engine: row.engine,
    dayUsd: toUsd(row.day_micros),
    monthUsd: toUsd(row.month_micros),
    sample: row.sample,
    isDaily: Boolean(row.is_daily),
    periods: periods.map((period, place) => {
      const of = spent?.find((each) => each.period === period);
      return {
        period: period.replace('stance ', ''),
        capUsd: toUsd(caps[place] ?? 0),
        spentUsd: toUsd(of?.spent_micros ?? 0),
        heldUsd: toUsd(of?.held_micros ?? 0),
      };
    }),
  };
}

/** The judge of a workspace. Throws a `Refusal` if there is none, because then nothing is judged. */
export async function requireStanceBudget(
  store: Store,
  workspaceId: string,
): Promise<StanceBudget> {
  const ledger = await requireLedger(store);
  const row = await selectStanceBudget(ledger.db, workspaceId);
  if (row === undefined) throw new Refusal('stance_judge_missing', {});
  const { engine, day_micros: day, month_micros: month, sample, is_daily: isDaily } = row;
  return {
    engine,
    dayUsd: toUsd(day),
    monthUsd: toUsd(month),
    sample,
    isDaily: Boolean(isDaily),
  };
}
