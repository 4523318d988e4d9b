import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../refusals.ts';
import { noteRestore } from '../storage/ledger-home.ts';
import type { Ledger, Store } from '../storage/store.ts';
import { utcDay } from '../values/time/utc-day.ts';
import { askEngine } from './ask/ask-engine.ts';
import type { EngineFetch } from './ask/engine-fetch.ts';
import { enginesToAsk } from './ledger/engines-to-ask.ts';
import type { AskedEngine, EngineChoice } from './ledger/engines-to-ask.ts';
import { readAllowance } from './ledger/budgets.ts';
import type { Shortage } from './ledger/budgets.ts';
import { claimReading } from './ledger/claim.ts';
import type { ReadingClaim, ReadingRow } from './ledger/claim.ts';
import type { PacedEngine } from './ledger/paced-engines.ts';
import { endingOf } from './ledger/ending.ts';
import { handOver } from './ledger/hand-over.ts';
import { requireLedger } from './ledger/require-ledger.ts';
import {
  clearFaults,
  countFault,
  pushBack,
  readEngineState,
  switchOff,
  takeMoment,
} from './ledger/engine-pace.ts';
import { currentSweep, planReadings, sweepsToAsk } from './ledger/plan.ts';
import { createQueue } from './ledger/queue.ts';
import type { ReadingQueue } from './ledger/queue.ts';
import { reap } from './ledger/reap.ts';
import { restoredToday } from './ledger/restored-today.ts';
import { release, settle } from './ledger/settle.ts';
import { backoffMs, retryPersistently, tryOnce } from './retries.ts';

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

/** How often a worker looks for a free slot of an engine with a limit of open questions. */
const slotEveryMs = 1000;

/**
 * Plans today's readings, asks those that are due, and turns the answers into runs. Several
 * processes may do so at once. Throws a `Refusal` if nothing is set up.
 */
export async function collect(store: Store, given: CollectOptions): Promise<CollectProgress> {
  const options = { ...given, clock: await store.ledgerClock(given.clock) };
  const { workspaceId, clock, signal } = options;
  const ledger = await requireLedger(store);
  const restoredAt = await noteRestore(ledger, { at: new Date(clock()).toISOString() });
  const sweeps = sweepsToAsk(await readAllowance(ledger, workspaceId), options);
  const [engines, notAsked] = await enginesToAsk(store, ledger, options);
  const session: Session = {
    store,
    ledger,
    options,
    sweeps,
    open: new Set(),
    ended: 0,
    claims: new Set(),
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
  const asking = await Promise.allSettled(engines.map((engine) => askAll(session, engine)));
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
  /** One promise for each question that was sent and has not ended. */
  readonly open: Set<Promise<unknown>>;
  /** Number of questions that have ended. */
  ended: number;
  /** Claims in progress, each of which may become an open question. */
  readonly claims: Set<Promise<unknown>>;
  /** Whether the operator's cap over all workspaces ended the run. */
  isOverCap: boolean;
  progress: CollectProgress;
}

async function askAll(session: Session, engine: AskedEngine): Promise<void> {
  const { ledger, options, sweeps } = session;
  const { workspaceId, isNow, atOnce, clock } = options;
  const queue = createQueue(ledger, { workspaceId, engine: engine.name }, () => {
    const nowMs = clock();
    const dueAt = new Date(nowMs).toISOString();
    return { day: utcDay(nowMs), dueAt, ...(isNow && { sweepMax: currentSweep(nowMs, sweeps) }) };
  });
  const workers = Array.from({ length: atOnce }, () => askInTurn(session, engine, queue));
  // Wait for all workers, because the others may still have open questions if one fails.
  for (const each of await Promise.allSettled(workers)) {
    if (each.status === 'rejected') throw each.reason;
  }
}

/** Asks one question after the other until none is left. */
async function askInTurn(
  session: Session,
  engine: AskedEngine,
  queue: ReadingQueue,
): Promise<void> {
  const { store, ledger, options } = session;
  const { clock, signal } = options;
  while (!signal.aborted && !session.progress.isOverBudget && !session.isOverCap) {
    const reading = await queue.next();
    if (reading === undefined) return;
    // Wait before the claim, so that no lease runs out meanwhile.
    if (!(await waitForTurn(session, engine, reading))) return;
    const { ended } = session;
    const claim = await track(
      session.claims,
      retryPersistently(store, signal, () =>
        claimReading(store, ledger, { reading, engine, nowMs: clock() }),
      ),
    );
    if (claim === undefined) continue;
    if (typeof claim === 'object') {
      await track(session.open, askOne(session, engine, claim));
      session.ended += 1;
    }
    // The slot may belong to another process.
    else if (claim === 'no_slot') await Promise.race([...session.open, setTimeout(slotEveryMs)]);
    // Open questions usually reserve more than they cost, so when one has ended there may be money
    // left.
    else if (session.open.size + session.claims.size > 0) {
      await Promise.race([...session.open, ...session.claims]);
    } else if (session.ended === ended) return endFor(session, engine, claim);
  }
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

/** Keeps a promise in a set until it is settled. */
async function track<Result>(set: Set<Promise<unknown>>, work: Promise<Result>): Promise<Result> {
  const ended = work.catch(() => {});
  set.add(ended);
  try {
    return await work;
  } finally {
    set.delete(ended);
  }
}

/**
 * Waits until this worker may send. False if the engine is off, the run should end, or the moment
 * is on a later day than the reading.
 */
async function waitForTurn(
  { store, ledger, options: { clock, signal } }: Session,
  { name }: PacedEngine,
  { day }: ReadingRow,
): Promise<boolean> {
  for (;;) {
    const momentMs = await retryPersistently(store, signal, () =>
      takeMoment(ledger, name, clock()),
    );
    if (momentMs === undefined || utcDay(momentMs) !== day) return false;
    const waitMs = momentMs - clock();
    if (waitMs > 0) await setTimeout(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return false;
    // The engine may have asked another worker to wait meanwhile.
    const { isOff, waitUntilMs } = await retryPersistently(store, signal, () =>
      readEngineState(store, ledger, name),
    );
    if (isOff) return false;
    if (waitUntilMs <= clock()) return true;
  }
}

async function askOne(session: Session, engine: AskedEngine, claim: ReadingClaim): Promise<void> {
  const { store, ledger, options } = session;
  const { clock, fetchFor, signal } = options;
  const { name, adapter, target } = engine;
  const outcome = await askEngine(adapter, {
    question: claim.question,
    target,
    key: engine.key,
    fetch: fetchFor(adapter),
    clock,
    signal: AbortSignal.timeout(engine.timeoutMs),
  });
  const ending = endingOf({ adapter, boundMicros: claim.boundMicros }, outcome);
  const at = new Date(clock()).toISOString();
  if (ending.kind === 'settle') {
    const { settlement } = ending;
    const { state, costMicros, facts } = settlement;
    // Never give up a paid answer while this process lives.
    await retryPersistently(store, undefined, (tries) => settle(ledger, claim, settlement, tries));
    const { progress } = session;
    note(session, { [state]: progress[state] + 1, costMicros: progress.costMicros + costMicros });
    await retryPersistently(store, signal, async () => {
      if (state === 'done') await clearFaults(ledger, name);
      else await countFault(ledger, name, { fault: facts.fault ?? state, at });
    });
    return;
  }
  const { fault, why, waitMs } = ending;
  await retryPersistently(store, undefined, (tries) => release(ledger, claim, fault, tries));
  const { attempts, id } = claim.reading;
  await retryPersistently(store, signal, async () => {
    if (why === 'switch_off') return switchOff(ledger, name, { reason: fault, at });
    const isUnreached = why === 'unreached';
    const faults = isUnreached ? await countFault(ledger, name, { fault, at }) : attempts + 1;
    await pushBack(ledger, name, clock() + (waitMs > 0 ? waitMs : backoffMs(faults, id)));
  });
}

/**
 * Imports answers during the run. Another import may block it for minutes, but the answers are safe
 * in the ledger.
 */
async function handOverMeanwhile(session: Session, ended: AbortSignal): Promise<void> {
  const { store, ledger, options } = session;
  const { handOverMs = 60_000 } = options;
  while (!ended.aborted) {
    await tryOnce(store, give);
    await setTimeout(handOverMs, undefined, { signal: ended }).catch(() => {});
  }
  await retryPersistently(store, options.signal, give);

  async function give(): Promise<void> {
    const { runs, refused } = await handOver(store, ledger, options);
    const { progress } = session;
    note(session, { runs: progress.runs + runs, notImportable: progress.notImportable + refused });
  }
}

function note(session: Session, change: Partial<CollectProgress>): void {
  session.progress = { ...session.progress, ...change };
  session.options.onProgress?.(session.progress);
}
