import { setTimeout } from 'node:timers/promises';
import { Refusal } from '../refusals.ts';
import type { Ledger, Store } from '../storage/store.ts';
import { utcDay } from '../values/time/utc-day.ts';
import { askEngine } from './ask/ask-engine.ts';
import type { EngineFetch } from './ask/engine-fetch.ts';
import type { Shortage } from './ledger/budgets.ts';
import type { OperatorShortage } from './ledger/operator-budgets.ts';
import { endingOf } from './ledger/ending.ts';
import type { AskedEngine } from './ledger/engines-to-ask.ts';
import {
  clearFaults,
  countFault,
  pushBack,
  readEngineState,
  switchOff,
  takeMoment,
} from './ledger/engine-pace.ts';
import type { PacedEngine } from './ledger/paced-engines.ts';
import { release, settle } from './ledger/paid-question.ts';
import type { PaidClaim, Settlement } from './ledger/paid-question.ts';
import { backoffMs, retryPersistently } from './retries.ts';

/** The questions of a run that are open, over all its workers and engines. */
export interface OpenQuestions {
  /** One promise for each question that was sent and has not ended. */
  readonly open: Set<Promise<unknown>>;
  /** Number of questions that have ended. */
  ended: number;
  /** Claims in progress, each of which may become an open question. */
  readonly claims: Set<Promise<unknown>>;
}

export function noQuestions(): OpenQuestions {
  return { open: new Set(), ended: 0, claims: new Set() };
}

/** Paid questions of one kind to one engine: where they come from, and what becomes of them. */
export interface PaidQuestions<Row> {
  /** The next question that may be asked; undefined if none is left. */
  readonly next: () => Promise<Row | undefined>;
  /** Takes back a question that was not sent, or not billed. */
  readonly putBack?: (row: Row) => void;
  /** The only UTC day on which a question may be sent; undefined for any. */
  readonly dayOf: (row: Row) => string | undefined;
  /** Undefined if the question is not asked any more, or another process has claimed it. */
  readonly claim: (row: Row) => Promise<PaidClaim | Shortage | undefined>;
  readonly onSettled: (settlement: Settlement) => void;
  /** Called when the cap is too small for another question, which ends this worker. */
  readonly onShortage: (shortage: Exclude<Shortage, 'no_slot'>) => void;
  readonly hasStopped: () => boolean;
}

interface AskingTools {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly engine: AskedEngine;
  readonly clock: () => number;
  /** Ends the run: no new question is asked, and open questions are awaited. */
  readonly signal: AbortSignal;
  readonly fetchFor: (engine: { isOwn?: boolean }) => EngineFetch;
  readonly questions: OpenQuestions;
}

/** How often a worker looks for a free slot of an engine with a limit of open questions. */
const slotEveryMs = 1000;

/** Starts `atOnce` workers, each of which asks one question after the other until none is left. */
export async function askAll<Row>(
  tools: AskingTools,
  atOnce: number,
  paid: PaidQuestions<Row>,
): Promise<void> {
  const workers = Array.from({ length: atOnce }, () => askInTurn(tools, paid));
  // Wait for all workers, because the others may still have open questions if one fails.
  for (const each of await Promise.allSettled(workers)) {
    if (each.status === 'rejected') throw each.reason;
  }
}

async function askInTurn<Row>(tools: AskingTools, paid: PaidQuestions<Row>): Promise<void> {
  const { store, signal, questions } = tools;
  while (!signal.aborted && !paid.hasStopped()) {
    const row = await paid.next();
    if (row === undefined) return;
    // Wait before the claim, so that no lease runs out meanwhile.
    if (!(await waitForTurn(tools, paid.dayOf(row)))) return paid.putBack?.(row);
    const { ended } = questions;
    const claim = await track(
      questions.claims,
      retryPersistently(store, signal, () => paid.claim(row)),
    );
    if (claim === undefined) continue;
    if (typeof claim === 'string') paid.putBack?.(row);
    if (typeof claim === 'object') {
      await track(questions.open, askOne(tools, paid, { row, claim }));
      questions.ended += 1;
    }
    // The slot may belong to another process.
    else if (claim === 'no_slot') {
      await Promise.race([...questions.open, setTimeout(slotEveryMs)]);
    }
    // Open questions usually reserve more than they cost, so when one has ended there may be money
    // left.
    else if (questions.open.size + questions.claims.size > 0) {
      await Promise.race([...questions.open, ...questions.claims]);
    } else if (questions.ended === ended) return paid.onShortage(claim);
  }
}

/** Why the operator's cap of an engine, or of everything, leaves questions out. */
export function capRefusal(
  shortage: OperatorShortage,
  { name: engine }: Pick<PacedEngine, 'name'>,
): Refusal {
  return shortage === 'over_operator_cap'
    ? new Refusal('operator_cap_reached', {})
    : new Refusal('engine_cap_reached', { engine });
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
 * is on another day than the question's.
 */
async function waitForTurn(
  {
    store,
    ledger,
    engine: { name },
    clock,
    signal,
  }: AskingTools & { readonly engine: PacedEngine },
  day: string | undefined,
): Promise<boolean> {
  for (;;) {
    const momentMs = await retryPersistently(store, signal, () =>
      takeMoment(ledger, name, clock()),
    );
    if (momentMs === undefined || (day !== undefined && utcDay(momentMs) !== day)) return false;
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

async function askOne<Row>(
  { store, ledger, engine, clock, signal, fetchFor }: AskingTools,
  paid: PaidQuestions<Row>,
  { row, claim }: { row: Row; claim: PaidClaim },
): Promise<void> {
  const { name, adapter, target } = engine;
  const { question, boundMicros, attempts, id } = claim;
  const outcome = await askEngine(adapter, {
    question,
    target,
    key: engine.key,
    fetch: fetchFor(adapter),
    clock,
    signal: AbortSignal.timeout(engine.timeoutMs),
  });
  const ending = endingOf({ adapter, boundMicros }, outcome);
  const at = new Date(clock()).toISOString();
  if (ending.kind === 'settle') {
    const { settlement } = ending;
    const { state, facts } = settlement;
    // Never give up a paid answer while this process lives.
    await retryPersistently(store, undefined, (tries) => settle(ledger, claim, settlement, tries));
    paid.onSettled(settlement);
    await retryPersistently(store, signal, async () => {
      if (state === 'done') await clearFaults(ledger, name);
      else await countFault(ledger, name, { fault: facts.fault ?? state, at });
    });
    return;
  }
  const { fault, why, waitMs } = ending;
  await retryPersistently(store, undefined, (tries) => release(ledger, claim, fault, tries));
  paid.putBack?.(row);
  await retryPersistently(store, signal, async () => {
    if (why === 'switch_off') return switchOff(ledger, name, { reason: fault, at });
    const isUnreached = why === 'unreached';
    const faults = isUnreached ? await countFault(ledger, name, { fault, at }) : attempts + 1;
    await pushBack(ledger, name, clock() + (waitMs > 0 ? waitMs : backoffMs(faults, id)));
  });
}
