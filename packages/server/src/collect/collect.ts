import { isDeepStrictEqual } from 'node:util';
import type { Refusal } from '../refusals.ts';
import { noteRestore } from '../storage/ledger-home.ts';
import type { Store } from '../storage/store.ts';
import { utcDay } from '../values/time/utc-day.ts';
import { askAll, capRefusal, noQuestions } from './ask-in-turn.ts';
import type { EngineFetch } from './ask/engine-fetch.ts';
import { enginesToAsk } from './ledger/engines-to-ask.ts';
import type { AskedEngine, EngineChoice } from './ledger/engines-to-ask.ts';
import { requireBudget } from './ledger/budgets.ts';
import { claimReading } from './ledger/claim.ts';
import type { ReadingRow } from './ledger/claim.ts';
import { handOver } from './ledger/hand-over.ts';
import { requireLedger } from './ledger/require-ledger.ts';
import { currentSweep, planReadings, sweepsToAsk } from './ledger/plan.ts';
import { createQueue } from './ledger/queue.ts';
import { restoredToday } from './ledger/restored-today.ts';
import { reap } from './ledger/paid-question.ts';
import { giveMeanwhile } from './retries.ts';

export interface CollectOptions extends EngineChoice {
  readonly workspaceId: string;
  /** Whether to ask the whole current sweep, not only due readings. */
  readonly isNow: boolean;
  /** How long the answers of an open run may wait before they become runs. */
  readonly handOverMs?: number;
  /** Most questions open at the same time per engine. */
  readonly atOnce: number;
  readonly clock: () => number;
  /** Ends the run: no new question is asked, and open questions are awaited. */
  readonly signal: AbortSignal;
  readonly fetchFor: (engine: { isOwn?: boolean }) => EngineFetch;
  readonly onProgress?: (progress: CollectProgress) => void;
}

export interface CollectProgress {
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  readonly costMicros: number;
  /** Number of new runs, including those of readings of an earlier process. */
  readonly runs: number;
  /** Answers that the import refused. */
  readonly notImportable: number;
  /** Whether a cap ended the run. */
  readonly isOverBudget: boolean;
  /** Reasons why engines that are on were not asked, or not for all sweeps of the day. */
  readonly leftOut: readonly Refusal[];
}

/**
 * Plans today's readings, asks those that are due, and turns the answers into runs. Several
 * processes may do so at once. Throws a `Refusal` if nothing is set up.
 */
export async function collect(store: Store, given: CollectOptions): Promise<CollectProgress> {
  const options = { ...given, clock: await store.ledgerClock(given.clock) };
  const { workspaceId, isNow, atOnce, clock, signal, fetchFor, onProgress } = options;
  const ledger = await requireLedger(store);
  const restoredAt = await noteRestore(ledger, { at: new Date(clock()).toISOString() });
  const sweeps = sweepsToAsk(await requireBudget(ledger, workspaceId, { clock }), options);
  const [engines, notAsked] = await enginesToAsk(store, ledger, options);
  let progress: CollectProgress = {
    done: 0,
    failed: 0,
    unknown: 0,
    costMicros: 0,
    runs: 0,
    notImportable: 0,
    isOverBudget: false,
    leftOut: [...notAsked, ...restoredToday(restoredAt, clock())],
  };
  // Whether the operator's cap over all workspaces ended the run.
  let isOverCap = false;
  const questions = noQuestions();
  await reap(ledger, { workspaceId, nowMs: clock() });
  await planReadings(store, ledger, {
    workspaceId,
    engines: engines.map(({ name }) => name),
    sweeps,
    restoredAt,
    nowMs: clock(),
  });
  await giveMeanwhile(store, { everyMs: options.handOverMs ?? 60_000, signal }, give, () =>
    engines.map(askDue),
  );
  if (!signal.aborted) await reap(ledger, { workspaceId, nowMs: clock() });
  return progress;

  function note(change: Partial<CollectProgress>): void {
    progress = { ...progress, ...change };
    onProgress?.(progress);
  }

  async function give(): Promise<void> {
    const { runs, refused } = await handOver(store, ledger, options);
    note({ runs: progress.runs + runs, notImportable: progress.notImportable + refused });
  }

  async function askDue(engine: AskedEngine): Promise<void> {
    const { next } = createQueue(ledger, { workspaceId, engine: engine.name }, () => {
      const nowMs = clock();
      const dueAt = new Date(nowMs).toISOString();
      return { day: utcDay(nowMs), dueAt, ...(isNow && { sweepMax: currentSweep(nowMs, sweeps) }) };
    });
    const tools = { store, ledger, engine, clock, signal, fetchFor, questions };
    await askAll<ReadingRow>(tools, atOnce, {
      next,
      dayOf: ({ day }) => day,
      claim: (reading) => claimReading(store, ledger, { reading, engine, nowMs: clock() }),
      onSettled: ({ state, costMicros }) =>
        note({ [state]: progress[state] + 1, costMicros: progress.costMicros + costMicros }),
      onShortage: (shortage) => {
        if (shortage === 'over_budget') return note({ isOverBudget: true });
        isOverCap ||= shortage === 'over_operator_cap';
        const refusal = capRefusal(shortage, engine);
        // Every worker of an engine gets here, so add the reason only once.
        const isNoted = progress.leftOut.some((each) =>
          isDeepStrictEqual(each.facts, refusal.facts),
        );
        if (!isNoted) note({ leftOut: [...progress.leftOut, refusal] });
      },
      hasStopped: () => progress.isOverBudget || isOverCap,
    });
  }
}
