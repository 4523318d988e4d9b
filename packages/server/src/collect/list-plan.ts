import { readRestore } from '../storage/ledger-home.ts';
import type { Ledger, Store } from '../storage/store.ts';
import { addDays, utcDay } from '../values/time/utc-day.ts';
import type { Question } from './engines/engine.ts';
import type { PriceRow } from './engines/prices.ts';
import { requireBudget } from './ledger/budgets.ts';
import type { BudgetPeriod } from './ledger/budgets.ts';
import { readEnginesOn } from './ledger/costs.ts';
import { toUsd } from './ledger/micros.ts';
import { requireLedger } from './ledger/require-ledger.ts';
import { boundFor } from './ledger/paced-engines.ts';
import type { PacedEngine } from './ledger/paced-engines.ts';
import { isScheduled, readingsOfDay, readNewPairs, scheduleLowered } from './ledger/plan.ts';
import { countLongPrompts, readPromptsToAsk } from './ledger/prompts-to-ask.ts';

/** A reading that will be asked, or was asked today. */
export interface PlannedReading {
  readonly day: string;
  /** Counts the sweeps of a day from 1. */
  readonly sweep: number;
  readonly engine: string;
  readonly promptId: string;
  readonly dueAt: string;
  readonly isAsked: boolean;
  /**
   * The amount reserved before it is sent; null if its cost has no bound, and then it is not asked.
   */
  readonly heldUsd: number | null;
}

/** The readings of the next days. */
export interface CollectPlan {
  readonly sweeps: number;
  readonly readings: readonly PlannedReading[];
  /** The current UTC day and month. */
  readonly periods: readonly BudgetPeriod[];
  /** Engines that are off, with the reason. */
  readonly off: ReadonlyArray<{ readonly engine: string; readonly reason: string }>;
  /** Prompts that are on and too long to be asked. */
  readonly longPrompts: number;
  /** When the ledger was last restored. Sweeps of that day that had begun before are not asked. */
  readonly restoredAt: string | null;
}

/**
 * Lists the readings of the next days if nothing changes, beginning with the rest of today. Asks
 * nothing and writes nothing. Throws a `Refusal` if nothing is set up.
 */
export async function listPlan(
  store: Store,
  workspaceId: string,
  { days, prices = [], clock }: { days: number; prices?: readonly PriceRow[]; clock: () => number },
): Promise<CollectPlan> {
  const ledger = await requireLedger(store);
  const { sweeps, periods } = await requireBudget(ledger, workspaceId, { clock });
  const nowMs = clock();
  const { all: engines, on } = await readEnginesOn(store, ledger, { workspaceId, prices, nowMs });
  const engineByName = new Map(on.map((engine) => [engine.name, engine]));
  const prompts = await readPromptsToAsk(store, workspaceId);
  const promptById = new Map(prompts.map((prompt) => [prompt.id, prompt]));
  const today = utcDay(nowMs);
  // The next run notes a move as a restore.
  const { restoredAt: notedAt, isMoved } = await readRestore(ledger);
  const restoredAt = isMoved ? new Date(nowMs).toISOString() : notedAt;
  const stored = await readStored(ledger, workspaceId, today);
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const isNew = await readNewPairs(ledger, { workspaceId, day: today });
  const planned = Array.from({ length: days }, (_, day) => addDays(today, day)).flatMap((day) =>
    readingsOfDay({
      workspaceId,
      prompts,
      engines: [...engineByName.keys()],
      sweeps,
      restoredAt,
      day,
      isNew,
      nowMs,
    }),
  );
  const plannedIds = new Set(planned.map(({ id }) => id));
  // Planned earlier, by another schedule or in a part of the day that has passed, and still asked.
  const leftOver = stored.filter(
    ({ id, state, sweep }) =>
      state === 'planned' &&
      isScheduled(today, sweep, { sweeps, restoredAt }) &&
      !plannedIds.has(id),
  );
  const readings = [...leftOver, ...planned].flatMap((row): PlannedReading[] => {
    const { id, day, engine, sweep, prompt_id: promptId } = row;
    const [asking, prompt] = [engineByName.get(engine), promptById.get(promptId)];
    if (asking === undefined || prompt === undefined) return [];
    const {
      state = 'planned',
      fault = null,
      due_at: dueAt = row.due_at,
    } = storedById.get(id) ?? {};
    const isPlanned = state === 'planned' || fault === scheduleLowered;
    if (!isPlanned && (state === 'skipped' || state === 'missed')) return [];
    const heldUsd = heldFor(asking, prompt);
    return [{ day, sweep: sweep + 1, engine, promptId, dueAt, isAsked: !isPlanned, heldUsd }];
  });
  const off = engines.flatMap(({ name, offReason: reason }) =>
    reason === null ? [] : [{ engine: name, reason }],
  );
  const longPrompts = await countLongPrompts(store, workspaceId);
  return { sweeps, readings, periods, off, longPrompts, restoredAt };
}

function heldFor(engine: PacedEngine, prompt: Pick<Question, 'text'>): number | null {
  const { boundMicros } = engine;
  return boundMicros === undefined ? null : toUsd(boundFor({ ...engine, boundMicros }, prompt));
}

/** The readings of a day that the ledger has, in the order of their sweeps. */
function readStored({ db }: Ledger, workspaceId: string, day: string) {
  return db
    .selectFrom('readings')
    .select(['id', 'prompt_id', 'engine', 'day', 'sweep', 'due_at', 'state', 'fault'])
    .where('workspace_id', '=', workspaceId)
    .where('day', '=', day)
    .orderBy('sweep')
    .orderBy('engine')
    .orderBy('due_at')
    .execute();
}
