import { sql } from 'kysely';
import type { Ledger, Store } from '../../storage/store.ts';

/** An engine with the same fault this many times in a row is switched off. */
const faultsMax = 5;

/** The state of an engine that a worker checks right before it sends. */
export interface EngineState {
  readonly isOff: boolean;
  readonly waitUntilMs: number;
}

export async function readEngineState(
  store: Store,
  { db }: Ledger,
  name: string,
): Promise<EngineState> {
  const pace = await db
    .selectFrom('paces')
    .select(['off_reason', 'wait_until_ms'])
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  const settings = await store.access
    .selectFrom('engines')
    .select('disabled_at')
    .where('name', '=', name)
    .executeTakeFirst();
  const isOff = pace.off_reason !== null || settings === undefined || settings.disabled_at !== null;
  return { isOff, waitUntilMs: pace.wait_until_ms };
}

/**
 * Gives each worker its own moment to send, in milliseconds since 1970; undefined if the engine is
 * off. Does not wait for a clock that was set back far.
 */
export async function takeMoment(
  ledger: Ledger,
  name: string,
  nowMs: number,
): Promise<number | undefined> {
  const floor = sql<number>`case when wait_until_ms > ${sql.lit(nowMs)} then wait_until_ms else ${sql.lit(nowMs)} end`;
  const moment = sql<number>`case when next_ms > (${floor}) and next_ms <= (${floor}) + 100 * gap_ms
    then next_ms else (${floor}) end`;
  const row = await ledger.write((transaction) =>
    transaction
      .updateTable('paces')
      .set({ next_ms: sql<number>`(${moment}) + gap_ms` })
      .where('name', '=', name)
      .where('off_reason', 'is', null)
      .returning(sql<number>`next_ms - gap_ms`.as('moment'))
      .executeTakeFirst(),
  );
  return row?.moment;
}

/** Makes every worker wait with an engine until a moment. */
export async function pushBack(ledger: Ledger, name: string, untilMs: number): Promise<void> {
  await ledger.write((transaction) =>
    transaction
      .updateTable('paces')
      .set({ wait_until_ms: untilMs })
      .where('name', '=', name)
      .where('wait_until_ms', '<', untilMs)
      .execute(),
  );
}

/** Switches an engine off until the operator adds it again. */
export async function switchOff(
  ledger: Ledger,
  name: string,
  { reason, at }: { reason: string; at: string },
): Promise<void> {
  await ledger.write((transaction) =>
    transaction
      .updateTable('paces')
      .set({ off_reason: reason, off_at: at })
      .where('name', '=', name)
      .where('off_reason', 'is', null)
      .execute(),
  );
}

/** Counts a fault. Returns its number in a row. The fifth equal fault switches the engine off. */
export async function countFault(
  ledger: Ledger,
  name: string,
  { fault, at }: { fault: string; at: string },
): Promise<number> {
  const row = await ledger.write((transaction) =>
    transaction
      .updateTable('paces')
      .set({ faults: sql<number>`case when fault = ${fault} then faults + 1 else 1 end`, fault })
      .where('name', '=', name)
      .returning('faults')
      .executeTakeFirst(),
  );
  const faults = row?.faults ?? 0;
  if (faults >= faultsMax) await switchOff(ledger, name, { reason: fault, at });
  return faults;
}

/** Forgets earlier faults, because the engine has answered. */
export async function clearFaults(ledger: Ledger, name: string): Promise<void> {
  const { db } = ledger;
  const pace = await db
    .selectFrom('paces')
    .select('faults')
    .where('name', '=', name)
    .executeTakeFirst();
  if (pace === undefined || pace.faults === 0) return;
  await ledger.write((transaction) =>
    transaction
      .updateTable('paces')
      .set({ fault: null, faults: 0 })
      .where('name', '=', name)
      .execute(),
  );
}
