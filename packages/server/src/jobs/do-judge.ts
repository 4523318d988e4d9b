import { engineFetches } from '../collect/ask/engine-fetch.ts';
import { toUsd } from '../collect/ledger/micros.ts';
import { judgeAnswers } from '../collect/stances/judge-answers.ts';
import { refusalWords } from '../refusals.ts';
import type { Store } from '../storage/store.ts';
import type { AskingOrder } from './do-ask.ts';
import type { JobTools } from './job-tools.ts';

/** A person watches the stances come in. */
const handOverMs = 3000;

/** Asks the judge about the answers that it has not judged. Doing it twice asks nothing twice. */
export async function doJudge(
  store: Store,
  asking: AskingOrder,
  { workspaceId, clock, signal, onProgress }: JobTools,
): Promise<Record<string, number | string[]>> {
  const progress = await judgeAnswers(store, {
    ...asking,
    workspaceId,
    handOverMs,
    clock,
    signal,
    fetchFor: engineFetches({ mayReachPrivate: false }),
    onProgress: ({ done, failed, unknown, answers: total }) =>
      onProgress({ step: 'judging', count: done + failed + unknown, total }),
  });
  const { answers, done, failed, unknown, judged, left, costMicros, isOverBudget, leftOut } =
    progress;
  // Stopped with its server: another one goes on.
  signal.throwIfAborted();
  return {
    answers,
    done,
    failed,
    unknown,
    judged,
    void: progress.void,
    left,
    costUsd: toUsd(costMicros),
    isOverBudget: Number(isOverBudget),
    warnings: leftOut.map((refusal) => refusalWords(refusal)),
  };
}
