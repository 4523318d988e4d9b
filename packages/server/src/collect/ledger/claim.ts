import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { selectRestore } from '../../storage/ledger-home.ts';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { contentId } from '../../values/uuid.ts';
import type { Engine, Question } from '../engines/engine.ts';
import { hold, selectAllowance } from './budgets.ts';
import type { Shortage } from './budgets.ts';
import { boundFor } from './paced-engines.ts';
import type { BoundEngine, PacedEngine } from './paced-engines.ts';
import { endUnasked, isScheduled, sweepsNow } from './plan.ts';
import { readQuestion } from './prompts-to-ask.ts';

export type ReadingRow = Pick<
  Selectable<LedgerTables['readings']>,
  'workspace_id' | 'id' | 'prompt_id' | 'engine' | 'day' | 'sweep' | 'attempts'
>;

/** A reading that only this process may send and settle. */
export interface ReadingClaim {
  readonly id: string;
  readonly attempts: number;
  readonly reading: ReadingRow;
  /** The token that proves the claim. */
  readonly token: string;
  readonly question: Question;
  readonly boundMicros: number;
}

/** Thrown to roll back a transaction if a budget is too small. */
export class ShortOf extends Error {
  readonly shortage: Shortage;

  constructor(shortage: Shortage) {
    super(shortage);
    this.shortage = shortage;
  }
}

/**
 * Claims one reading and reserves its bound, in one transaction that is on the disk before anything
 * is sent. Undefined if another process has claimed it, or if its prompt or sweep is not asked any
 * more.
 */
export async function claimReading(
  store: Store,
  ledger: Ledger,
  { reading, engine, nowMs }: { reading: ReadingRow; engine: BoundEngine; nowMs: number },
): Promise<ReadingClaim | Shortage | undefined> {
  // The reading may have waited past midnight for its turn or for the database.
  if (reading.day !== utcDay(nowMs)) return undefined;
  const { workspace_id: workspaceId, id, day, prompt_id: promptId } = reading;
  const question = await readQuestion(store, { workspaceId, promptId });
  if (typeof question === 'string') {
    await skip(ledger, reading, question);
    return undefined;
  }
  const token = randomUUID();
  const boundMicros = boundFor(engine, question);
  const now = new Date(nowMs).toISOString();
  // Twice the time limit, because writing the answer takes time, too.
  const leaseUntil = new Date(nowMs + 2 * engine.timeoutMs).toISOString();
  try {
    const isOurs = await ledger.write(async (transaction) => {
      const allowance = await selectAllowance(transaction, workspaceId);
      if (allowance === undefined) throw new ShortOf('over_budget');
      const restore = await selectRestore(transaction).executeTakeFirst();
      const schedule = {
        sweeps: sweepsNow(allowance),
        restoredAt: restore?.restored_at ?? null,
      };
      // The schedule may have been lowered since the reading was planned.
      if (!isScheduled(day, reading.sweep, schedule)) {
        await endUnasked(transaction, { workspaceId, day }, schedule);
        return false;
      }
      const { numUpdatedRows } = await transaction
        .updateTable('readings')
        .set((row) => ({
          state: 'sent',
          claim: token,
          attempts: row('attempts', '+', 1),
          sent_at: now,
          lease_until: leaseUntil,
          asked: question.text,
          locale: question.locale,
          kind: engine.kind,
          cohort: cohortOf(engine, question),
          bound_micros: boundMicros,
        }))
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', '=', 'planned')
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      const purse = { workspaceId, engine: engine.name, day, token, allowance };
      const shortage = await hold(transaction, purse, { boundMicros, now, leaseUntil });
      if (shortage !== undefined) throw new ShortOf(shortage);
      return true;
    });
    const { attempts } = reading;
    return isOurs ? { id, attempts, reading, token, question, boundMicros } : undefined;
  } catch (error) {
    if (error instanceof ShortOf) return error.shortage;
    throw error;
  }
}

async function skip(
  ledger: Ledger,
  { workspace_id: workspaceId, id }: ReadingRow,
  fault: string,
): Promise<void> {
  await ledger.write((transaction) =>
    transaction
      .updateTable('readings')
      .set({ state: 'skipped', fault })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'planned')
      .execute(),
  );
}

/**
 * Everything in a request except the question: engine, model, tool version, options and place.
 * `runCohort` completes it for a run.
 */
export function cohortOf(
  { name, adapter, target }: Pick<PacedEngine, 'name' | 'adapter' | 'target'>,
  { locale }: Pick<Question, 'locale'>,
): string {
  const { url, headers, body } = adapter.request({ text: '', locale }, target);
  return contentId('reading cohort', [name, locale, url, JSON.stringify([headers, body])]);
}

/** The cohort of a run: how it was asked, which model was served, and by which rule its response was read. */
export function runCohort(
  promptText: string,
  model: string | null,
  { readingRule = 1 }: Engine,
): string {
  return contentId('run cohort', [promptText, model, readingRule]);
}
