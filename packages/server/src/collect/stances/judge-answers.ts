import { listAnswersToJudge } from '../../answers/stances/answers-to-judge.ts';
import { storeStances } from '../../answers/stances/store-stances.ts';
import { Refusal } from '../../refusals.ts';
import { noteRestore } from '../../storage/ledger-home.ts';
import type { Store } from '../../storage/store.ts';
import { addDays, utcDay } from '../../values/time/utc-day.ts';
import { askAll, capRefusal, noQuestions } from '../ask-in-turn.ts';
import type { CollectOptions } from '../collect.ts';
import { reap } from '../ledger/paid-question.ts';
import { requireLedger } from '../ledger/require-ledger.ts';
import { restoredToday } from '../ledger/restored-today.ts';
import { giveMeanwhile, retryPersistently } from '../retries.ts';
import { handOverJudgements } from './hand-over-judgements.ts';
import { judgeToAsk } from './judge-engine.ts';
import { createJudgeQueue } from './judge-queue.ts';
import type { StanceQuestion } from './stance-question.ts';
import { claimJudgement } from './claim-judgement.ts';
import { readStanceBudget } from './stance-budgets.ts';

/** Days whose answers are judged if nobody says, today included. */
export const judgedDays = 28;

/** Void rows without one stance, after which a judge is asked nothing more. */
const unreadableMax = 20;

export type JudgeOptions = Omit<CollectOptions, 'isNow' | 'engines' | 'onProgress'> & {
  readonly onProgress?: (progress: JudgeProgress) => void;
};

/** How judging went. */
export interface JudgeProgress {
  /** Answers to judge when the run began. */
  readonly answers: number;
  /** Questions by how they ended. */
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  readonly costMicros: number;
  /** Rows with a stance, those of rules included, and rows that are void. */
  readonly judged: number;
  readonly void: number;
  /** Answers that are left to judge. */
  readonly left: number;
  /** Whether a cap of the workspace's budget ended the run. */
  readonly isOverBudget: boolean;
  /** Other reasons why answers are left. */
  readonly leftOut: readonly Refusal[];
}

/**
 * Asks the judge of a workspace about the answers of its sample that it has not judged, and stores
 * how they present each subject. Several processes may do so at once. Throws a `Refusal` if no judge
 * is set up, or it cannot be asked.
 */
export async function judgeAnswers(store: Store, given: JudgeOptions): Promise<JudgeProgress> {
  const options = { ...given, clock: await store.ledgerClock(given.clock) };
  const { workspaceId, clock, signal, fetchFor, onProgress, handOverMs = 10_000 } = options;
  const ledger = await requireLedger(store);
  // Also without a judge: what a killed process held is released.
  await reap(ledger, { workspaceId, nowMs: clock() });
  const budget = await readStanceBudget(store, workspaceId, { clock });
  if (budget === undefined) throw new Refusal('stance_judge_missing', {});
  const restoredAt = await noteRestore(ledger, { at: new Date(clock()).toISOString() });
  const choice = { ...budget, judge: budget.engine, workspaceId };
  const to = utcDay(clock());
  let progress: JudgeProgress = {
    answers: 0,
    done: 0,
    failed: 0,
    unknown: 0,
    costMicros: 0,
    judged: 0,
    void: 0,
    left: 0,
    isOverBudget: false,
    // What was asked since the backup is not known, so ask nothing on this day.
    leftOut:
      restoredToday(restoredAt, clock()).length === 0 || restoredAt === null
        ? []
        : [new Refusal('stance_ledger_restored', { restoredAt })],
  };
  await retryPersistently(store, signal, giveDone);
  const from = addDays(to, 1 - judgedDays);
  const runIds = await listAnswersToJudge(store, { ...choice, from, to });
  note({ answers: runIds.length, left: runIds.length });
  if (runIds.length === 0 || progress.leftOut.length > 0) return progress;
  const engine = await judgeToAsk(store, ledger, budget.engine, options);
  const queue = await createJudgeQueue(store, ledger, { ...choice, runIds });
  const tools = { store, ledger, engine, clock, signal, fetchFor, questions: noQuestions() };
  await giveMeanwhile(store, { everyMs: handOverMs, signal }, give, () => [
    askAll<StanceQuestion>(tools, options.atOnce, {
      next: queue.next,
      dayOf: () => undefined,
      putBack: queue.putBack,
      claim: (judgement) => claimJudgement(ledger, { judgement, engine, nowMs: clock() }),
      onSettled: ({ state, costMicros }) =>
        note({ [state]: progress[state] + 1, costMicros: progress.costMicros + costMicros }),
      onShortage: (shortage) =>
        note(
          shortage === 'over_budget'
            ? { isOverBudget: true }
            : { leftOut: [capRefusal(shortage, engine)] },
        ),
      hasStopped: () => progress.isOverBudget || progress.leftOut.length > 0,
    }),
  ]);
  note({ left: queue.left() });
  if (!signal.aborted) await reap(ledger, { workspaceId, nowMs: clock() });
  return progress;

  function note(change: Partial<JudgeProgress>): void {
    progress = { ...progress, ...change };
    onProgress?.(progress);
  }

  async function give(): Promise<void> {
    const proven = queue.takeProven();
    const stored = await storeStances(store, workspaceId, proven, { clock });
    note({ judged: progress.judged + stored.judged, void: progress.void + stored.void });
    await giveDone();
  }

  async function giveDone(): Promise<void> {
    const stored = await handOverJudgements(store, ledger, { ...choice, clock });
    note({ judged: progress.judged + stored.judged, void: progress.void + stored.void });
    if (progress.judged === 0 && progress.void >= unreadableMax) {
      note({ leftOut: [new Refusal('stance_judge_unreadable', { engine: choice.judge })] });
    }
  }
}
