import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Selectable } from 'kysely';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { readPeriods, refuseAboveCaps } from '../ledger/budgets.ts';
import type { BudgetPeriod } from '../ledger/budgets.ts';
import { toMicros, toUsd } from '../ledger/micros.ts';
import { engineNamed, readEngines } from '../ledger/paced-engines.ts';
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
    if (!isOperator) await refuseAboveCaps({ db }, workspaceId, { dayUsd, monthUsd });
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
    const after = { workspace_id: workspaceId, ...row };
    return !isDeepStrictEqual(before && { ...before, is_daily: Boolean(before.is_daily) }, after);
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

/** A judge with its budget, and what is spent and reserved of it today and this month. */
export interface SpentStanceBudget extends StanceBudget {
  readonly periods: readonly BudgetPeriod[];
}

/** Reads the judge of a workspace with its spending; undefined if nothing is judged. */
export async function readStanceBudget(
  store: Store,
  workspaceId: string,
  { clock }: { clock: () => number },
): Promise<SpentStanceBudget | undefined> {
  const ledger = await store.ledger();
  const budget = ledger && (await selectStanceBudget(ledger.db, workspaceId));
  if (ledger === undefined || budget === undefined) return undefined;
  return {
    engine: budget.engine,
    dayUsd: toUsd(budget.day_micros),
    monthUsd: toUsd(budget.month_micros),
    sample: budget.sample,
    isDaily: Boolean(budget.is_daily),
    periods: await readPeriods(ledger, { table: 'judgements', workspaceId, budget, clock }),
  };
}
