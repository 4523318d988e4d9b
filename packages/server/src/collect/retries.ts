import { setTimeout } from 'node:timers/promises';
import type { Store } from '../storage/store.ts';
import { isUnavailable } from '../storage/unavailable.ts';

/**
 * The wait before a retry: 1 s, 2 s, 4 s and so on up to a minute, plus up to half of that,
 * depending on the reading's id.
 */
export function backoffMs(times: number, id: string): number {
  const jitter = Number.parseInt(id.slice(0, 4), 16) / 2 ** 17;
  return 1000 * Math.min(2 ** (times - 1), 60) * (1 + jitter);
}

/**
 * Retries the work while the database is unavailable: for a minute if there is a signal, otherwise
 * until the database is back. The work gets the number of earlier tries, each of which may have
 * been committed.
 */
export async function retryPersistently<Result>(
  { mapFailure }: Pick<Store, 'mapFailure'>,
  signal: AbortSignal | undefined,
  work: (tries: number) => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work(tries);
    } catch (thrown) {
      const error = mapFailure(thrown);
      const isGivenUp = signal !== undefined && (signal.aborted || tries >= 60);
      if (!isUnavailable(error) || isGivenUp) throw error;
      await setTimeout(1000);
    }
  }
}

/** Does the work once, and drops its failure if the database is unavailable. */
export async function tryOnce(
  { mapFailure }: Pick<Store, 'mapFailure'>,
  work: () => Promise<void>,
): Promise<void> {
  await work().catch((thrown: unknown) => {
    const error = mapFailure(thrown);
    if (!isUnavailable(error)) throw error;
  });
}

/**
 * Stores what was paid for while a run goes on, and once more when it has `ended`. Another writer may
 * block that for minutes, but the responses are safe in the ledger.
 */
export async function giveMeanwhile(
  store: Store,
  { everyMs, signal, ended }: { everyMs: number; signal: AbortSignal; ended: AbortSignal },
  give: () => Promise<void>,
): Promise<void> {
  while (!ended.aborted) {
    await tryOnce(store, give);
    await setTimeout(everyMs, undefined, { signal: ended }).catch(() => {});
  }
  await retryPersistently(store, signal, give);
}
