import { randomUUID } from 'node:crypto';
import { Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
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
  const nowMs = clock();
  const question = { engine, day: utcDay(nowMs), token: randomUUID() };
  const bound = boundMicros ?? 0;
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
      leaseUntil: new Date(nowMs + timeoutMs).toISOString(),
    });
    if (shortage === 'over_operator_cap') throw new Refusal('operator_cap_reached', {});
    if (shortage !== undefined) throw new Refusal('engine_cap_reached', { engine });
  });
  const result = await ask(bound);
  const money = { releasedMicros: bound, spentMicros: result.costMicros };
  await ledger.write((transaction) => bookForOperator(transaction, question, money));
  return result;
}
