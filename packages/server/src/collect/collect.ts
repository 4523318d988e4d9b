import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../refusals.ts';
import { noteRestore } from '../storage/ledger-home.ts';
import type { Ledger, Store } from '../storage/store.ts';
import { utcDay } from '../values/time/utc-day.ts';
import { askAll, noQuestions } from './ask-in-turn.ts';
import type { OpenQuestions } from './ask-in-turn.ts';
import type { EngineFetch } from './ask/engine-fetch.ts';
import { enginesToAsk } from './ledger/engines-to-ask.ts';
import type { AskedEngine, EngineChoice } from './ledger/engines-to-ask.ts';
import { requireBudget } from './ledger/budgets.ts';
import type { Shortage } from './ledger/budgets.ts';
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
  const { workspaceId, clock, signal } = options;
  const ledger = await requireLedger(store);
  const restoredAt = await noteRestore(ledger, { at: new Date(clock()).toISOString() });
  const sweeps = sweepsToAsk(await requireBudget(ledger, workspaceId, { clock }), options);
  const [engines, notAsked] = await enginesToAsk(store, ledger, options);
  const session: Session = {
    store,
    ledger,
    options,
    sweeps,
    questions: noQuestions(),
    isOverCap: false,
    progress: {
      done: 0,
      failed: 0,
      unknown: 0,
      costMicros: 0,
      runs: 0,
      notImportable: 0,
      isOverBudget: false,
      leftOut: [...notAsked, ...restoredToday(restoredAt, clock())],
    },
  };
  await reap(ledger, { workspaceId, nowMs: clock() });
  await planReadings(store, ledger, {
    workspaceId,
    engines: engines.map(({ name }) => name),
    sweeps,
    restoredAt,
    nowMs: clock(),
  });
  const ended = new AbortController();
  const handing = Promise.allSettled([handOverMeanwhile(session, ended.signal)]);
  const asking = await Promise.allSettled(engines.map((engine) => askDue(session, engine)));
  ended.abort();
  for (const each of [...asking, ...(await handing)]) {
    if (each.status === 'rejected') throw each.reason;
  }
  if (!signal.aborted) await reap(ledger, { workspaceId, nowMs: clock() });
  return session.progress;
}

interface Session {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly options: CollectOptions;
  readonly sweeps: number;
  readonly questions: OpenQuestions;
  /** Whether the operator's cap over all workspaces ended the run. */
  isOverCap: boolean;
  progress: CollectProgress;
}

async function askDue(session: Session, engine: AskedEngine): Promise<void> {
  const { store, ledger, options, sweeps, questions } = session;
  const { workspaceId, isNow, atOnce, clock, signal, fetchFor } = options;
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
    onSettled: ({ state, costMicros }) => {
      const { progress } = session;
      note(session, { [state]: progress[state] + 1, costMicros: progress.costMicros + costMicros });
    },
    onShortage: (shortage) => endFor(session, engine, shortage),
    hasStopped: () => session.progress.isOverBudget || session.isOverCap,
  });
}

/** Stops asking one engine or all engines if the cap is too small for another question. */
function endFor(
  session: Session,
  { name: engine }: AskedEngine,
  shortage: Exclude<Shortage, 'no_slot'>,
): void {
  if (shortage === 'over_budget') return note(session, { isOverBudget: true });
  if (shortage === 'over_operator_cap') session.isOverCap = true;
  const refusal =
    shortage === 'over_operator_cap'
      ? new Refusal('operator_cap_reached', {})
      : new Refusal('engine_cap_reached', { engine });
  const { leftOut } = session.progress;
  // Every worker of an engine gets here, so add the reason only once.
  const isNoted = leftOut.some((each) => isDeepStrictEqual(each.facts, refusal.facts));
  if (!isNoted) note(session, { leftOut: [...leftOut, refusal] });
}

async function handOverMeanwhile(session: Session, ended: AbortSignal): Promise<void> {
  const { store, ledger, options } = session;
  const { handOverMs: everyMs = 60_000, signal } = options;
  await giveMeanwhile(store, { everyMs, signal, ended }, async () => {
    const { runs, refused } = await handOver(store, ledger, options);
    const { progress } = session;
    note(session, { runs: progress.runs + runs, notImportable: progress.notImportable + refused });
  });
}

function note(session: Session, change: Partial<CollectProgress>): void {
  session.progress = { ...session.progress, ...change };
  session.options.onProgress?.(session.progress);
}
