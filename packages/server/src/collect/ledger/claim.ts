import type { Selectable } from 'kysely';
import { selectRestore } from '../../storage/ledger-home.ts';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { contentId } from '../../values/uuid.ts';
import type { Engine, Question } from '../engines/engine.ts';
import { selectAllowance } from './budgets.ts';
import type { Shortage } from './budgets.ts';
import { boundFor } from './paced-engines.ts';
import type { BoundEngine, PacedEngine } from './paced-engines.ts';
import { claimQuestion } from './paid-question.ts';
import type { PaidClaim } from './paid-question.ts';
import { endUnasked, isScheduled, sweepsNow } from './plan.ts';
import { readQuestion } from './prompts-to-ask.ts';

export type ReadingRow = Pick<
  Selectable<LedgerTables['readings']>,
  'workspace_id' | 'id' | 'prompt_id' | 'engine' | 'day' | 'sweep' | 'attempts'
>;

/**
 * Claims one reading and reserves its bound. Undefined if another process has claimed it, or if its
 * prompt or sweep is not asked any more.
 */
export async function claimReading(
  store: Store,
  ledger: Ledger,
  { reading, engine, nowMs }: { reading: ReadingRow; engine: BoundEngine; nowMs: number },
): Promise<PaidClaim | Shortage | undefined> {
  // The reading may have waited past midnight for its turn or for the database.
  if (reading.day !== utcDay(nowMs)) return undefined;
  const { workspace_id: workspaceId, id, day, prompt_id: promptId, attempts } = reading;
  const question = await readQuestion(store, { workspaceId, promptId });
  if (typeof question === 'string') {
    await skip(ledger, reading, question);
    return undefined;
  }
  const { name, timeoutMs } = engine;
  const boundMicros = boundFor(engine, question);
  const purse = { table: 'readings', workspaceId, engine: name, day } as const;
  const asked = { ...purse, id, question, boundMicros };
  return claimQuestion(ledger, asked, { nowMs, timeoutMs }, async (transaction, sent) => {
    const budget = await selectAllowance(transaction, workspaceId);
    if (budget === undefined) return 'over_budget';
    const restore = await selectRestore(transaction).executeTakeFirst();
    const schedule = { sweeps: sweepsNow(budget), restoredAt: restore?.restored_at ?? null };
    // The schedule may have been lowered since the reading was planned.
    if (!isScheduled(day, reading.sweep, schedule)) {
      await endUnasked(transaction, { workspaceId, day }, schedule);
      return undefined;
    }
    const { numUpdatedRows } = await transaction
      .updateTable('readings')
      .set((row) => ({
        ...sent,
        attempts: row('attempts', '+', 1),
        asked: question.text,
        locale: question.locale,
        kind: engine.kind,
        cohort: cohortOf(engine, question),
      }))
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'planned')
      .executeTakeFirst();
    return numUpdatedRows === 0n ? undefined : { budget, attempts };
  });
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
