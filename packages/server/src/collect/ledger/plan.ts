import type { Transaction } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { inChunks } from '../../storage/chunks.ts';
import type { LedgerTables } from '../../storage/schema.ts';
import { addDays, dayMs, utcDay } from '../../values/time/utc-day.ts';
import { contentId } from '../../values/uuid.ts';
import { readPromptsToAsk } from './prompts-to-ask.ts';

const rowsMax = 128;

/** Within this time from now a prompt is asked that is new on an engine. */
const soonMs = 5 * 60_000;

export interface PlanOptions extends Schedule {
  readonly workspaceId: string;
  readonly engines: readonly string[];
  readonly nowMs: number;
}

/** Which sweeps of a day are asked. */
export interface Schedule {
  /** Number of sweeps per day. */
  readonly sweeps: number;
  /** When the ledger was last restored. Earlier sweeps may have been asked without its knowledge. */
  readonly restoredAt: string | null;
}

/**
 * Plans today's readings: each switched-on prompt, once per sweep on each engine. Planning again
 * changes nothing. The running sweep asks a prompt that is new on an engine within minutes. Leaves out sweeps whose part of the day has passed. Ends readings of sweeps that
 * are not asked, and plans those that a lowered schedule has ended again if it is raised again.
 */
export async function planReadings(
  store: Store,
  ledger: Ledger,
  options: PlanOptions,
): Promise<void> {
  const { workspaceId, sweeps, nowMs } = options;
  const day = utcDay(nowMs);
  await ledger.write(async (transaction) => {
    await endUnasked(transaction, { workspaceId, day }, options);
    await transaction
      .updateTable('readings')
      .set({ state: 'planned', fault: null })
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'skipped')
      .where('fault', '=', scheduleLowered)
      .where('day', '=', day)
      .where('sweep', '>=', Math.max(firstSweep(day, options), currentSweep(nowMs, sweeps)))
      .where('sweep', '<', sweeps)
      .execute();
  });
  const prompts = await readPromptsToAsk(store, workspaceId);
  const isNew = await readNewPairs(ledger, { workspaceId, day });
  const rows = readingsOfDay({ ...options, prompts, day, isNew });
  for (const chunk of inChunks(rows, rowsMax)) {
    await ledger.write((transaction) =>
      transaction
        .insertInto('readings')
        .values(chunk.map((row) => ({ ...row, state: 'planned' as const, attempts: 0 })))
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }
}

/** Finds prompts that had no reading on an engine yesterday or today. */
export async function readNewPairs(
  { db }: Ledger,
  { workspaceId, day }: { workspaceId: string; day: string },
): Promise<(promptId: string, engine: string) => boolean> {
  const rows = await db
    .selectFrom('readings')
    .select(['prompt_id', 'engine'])
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', addDays(day, -1))
    .where('day', '<=', day)
    .execute();
  const known = new Set(rows.map(({ prompt_id: id, engine }) => `${id} ${engine}`));
  return (promptId, engine) => !known.has(`${promptId} ${engine}`);
}

/** The fault of a reading whose sweep the schedule does not have any more. */
export const scheduleLowered = 'schedule_lowered';

/** Whether a sweep of a day is asked. */
export function isScheduled(day: string, sweep: number, schedule: Schedule): boolean {
  return sweep >= firstSweep(day, schedule) && sweep < schedule.sweeps;
}

/** The first sweep of a day that had not begun when the ledger was restored. */
function firstSweep(day: string, { sweeps, restoredAt }: Schedule): number {
  if (restoredAt === null) return 0;
  const sinceMs = Date.parse(restoredAt) - Date.parse(day);
  return Math.max(0, Math.ceil((sinceMs * sweeps) / dayMs));
}

/** Ends the planned readings of a day's sweeps that are not asked. */
export async function endUnasked(
  transaction: Transaction<LedgerTables>,
  { workspaceId, day }: { workspaceId: string; day: string },
  schedule: Schedule,
): Promise<void> {
  const plannedOfDay = transaction
    .updateTable('readings')
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'planned')
    .where('day', '=', day);
  await plannedOfDay
    .set({ state: 'missed', fault: 'restored' })
    .where('sweep', '<', firstSweep(day, schedule))
    .execute();
  await plannedOfDay
    .set({ state: 'skipped', fault: scheduleLowered })
    .where('sweep', '>=', schedule.sweeps)
    .execute();
}

/**
 * The readings of a UTC day, except sweeps whose part of the day has passed, or had begun when the
 * ledger was restored.
 */
export function readingsOfDay({
  workspaceId,
  engines,
  sweeps,
  restoredAt,
  nowMs,
  prompts,
  day,
  isNew,
}: PlanOptions & {
  readonly prompts: readonly { readonly id: string }[];
  readonly day: string;
  /** Whether a prompt is new on an engine, so that the running sweep asks it at once. */
  readonly isNew: (promptId: string, engine: string) => boolean;
}) {
  const startMs = Date.parse(day);
  const slotMs = dayMs / sweeps;
  const left = Array.from({ length: sweeps }, (_, sweep) => sweep).filter(
    (sweep) =>
      startMs + (sweep + 1) * slotMs > nowMs && isScheduled(day, sweep, { sweeps, restoredAt }),
  );
  return left.flatMap((sweep) =>
    engines.flatMap((engine) =>
      prompts.map(({ id: promptId }) => {
        // Use nothing else in the id, or a change of the model at noon would ask everything again.
        const id = contentId('reading', [workspaceId, promptId, engine, day, sweep]);
        const usualMs = startMs + (sweep + jitter(id)) * slotMs;
        const leftMs = startMs + (sweep + 1) * slotMs - nowMs;
        const newMs = nowMs + jitter(id) * Math.min(soonMs, leftMs);
        const isSoon = leftMs <= slotMs && isNew(promptId, engine);
        const dueMs = Math.floor(isSoon ? Math.min(usualMs, newMs) : usualMs);
        const due_at = new Date(dueMs).toISOString();
        return { workspace_id: workspaceId, id, prompt_id: promptId, engine, day, sweep, due_at };
      }),
    ),
  );
}

/** The sweeps of a day if a person asks now: without a schedule the whole day is one. */
export function sweepsNow({ sweeps }: Pick<Schedule, 'sweeps'>): number {
  return Math.max(1, sweeps);
}

/** The sweeps of a day to ask. Throws a `Refusal` if no person asks now and there is no schedule. */
export function sweepsToAsk(
  allowance: Pick<Schedule, 'sweeps'>,
  { isNow }: { isNow: boolean },
): number {
  if (!isNow && allowance.sweeps === 0) throw new Refusal('schedule_missing', {});
  return sweepsNow(allowance);
}

/** The sweep to which the present part of the day belongs. */
export function currentSweep(nowMs: number, sweeps: number): number {
  return Math.floor(((nowMs % dayMs) * sweeps) / dayMs);
}

/** A number from 0 to 1 from the first bits of the id, which is a hash that includes the day. */
function jitter(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) / 2 ** 32;
}
