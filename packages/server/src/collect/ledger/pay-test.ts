import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import type { LedgerTables } from '../../storage/schema.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { bookForOperator, everything, holdForOperator } from './operator-budgets.ts';

interface TestQuestion {
  readonly engine: string;
  readonly model: string;
  /**
   * The most that the question may cost, unless the operator has set a bound; undefined if unknown.
   */
  readonly boundMicros: number | undefined;
  readonly timeoutMs: number;
}

/**
 * Asks a test question within the operator's budgets: reserves its bound before, and books its cost
 * afterwards. Throws a `Refusal` if a cap would be exceeded.
 */
export async function payTest<Result extends { readonly costMicros: number }>(
  store: Store,
  { engine, model, boundMicros: knownMicros, timeoutMs }: TestQuestion,
  {
    clock: machineClock,
    ask,
  }: { clock: () => number; ask: (boundMicros: number) => Promise<Result> },
): Promise<Result> {
  const ledger = await store.ledger();
  if (ledger === undefined) return ask(knownMicros ?? 0);
  const pace = await ledger.db
    .selectFrom('paces')
    .select('bound_micros')
    .where('name', '=', engine)
    .executeTakeFirst();
  const boundMicros = pace?.bound_micros ?? knownMicros;
  const clock = await store.ledgerClock(machineClock);
  await reapTests(ledger, clock());
  const nowMs = clock();
  const question = { engine, day: utcDay(nowMs), token: randomUUID() };
  const bound = boundMicros ?? 0;
  // Twice the time limit, because the cost has to be written after it.
  const leaseUntil = new Date(nowMs + 2 * timeoutMs).toISOString();
  await ledger.write(async (transaction) => {
    const caps = await transaction
      .selectFrom('operator_caps')
      .select('scope')
      .where('scope', 'in', [engine, everything])
      .execute();
    if (caps.length > 0 && boundMicros === undefined) {
      throw new Refusal('engine_bound_missing', { engine, model });
    }
    const shortage = await holdForOperator(transaction, question, {
      boundMicros: bound,
      now: new Date(nowMs).toISOString(),
      leaseUntil,
    });
    if (shortage === 'over_operator_cap') throw new Refusal('operator_cap_reached', {});
    if (shortage !== undefined) throw new Refusal('engine_cap_reached', { engine });
    await transaction
      .insertInto('test_questions')
      .values({ ...question, bound_micros: bound, lease_until: leaseUntil })
      .execute();
  });
  const result = await ask(bound);
  await ledger.write(async (transaction) => {
    const isOpen = await endTest(transaction, question.token);
    // It was charged at its bound if another process found its lease ended.
    const money = isOpen
      ? { releasedMicros: bound, spentMicros: result.costMicros }
      : { releasedMicros: 0, spentMicros: result.costMicros - bound };
    await bookForOperator(transaction, question, money);
  });
  return result;
}

/** Charges test questions whose process died at their bound, because they may have been billed. */
export async function reapTests(ledger: Ledger, nowMs: number): Promise<void> {
  const lost = await ledger.db
    .selectFrom('test_questions')
    .selectAll()
    .where('lease_until', '<', new Date(nowMs).toISOString())
    .execute();
  for (const { bound_micros: boundMicros, token, engine, day } of lost) {
    await ledger.write(async (transaction) => {
      if (!(await endTest(transaction, token))) return;
      const money = { releasedMicros: boundMicros, spentMicros: boundMicros };
      await bookForOperator(transaction, { token, engine, day }, money);
    });
  }
}

/** Removes an open test question. False if another process has ended it. */
async function endTest(transaction: Transaction<LedgerTables>, token: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('test_questions')
    .where('token', '=', token)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
