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

/**
 * Waits for all that `ask` begins. Stores meanwhile what was paid for, and once more at the end. Another
 * writer may block that for minutes, but the responses are safe in the ledger.
 */
export async function giveMeanwhile(
  store: Store,
  { everyMs, signal }: { everyMs: number; signal: AbortSignal },
  give: () => Promise<void>,
  ask: () => ReadonlyArray<Promise<void>>,
): Promise<void> {
  const ended = new AbortController();
  const giving = Promise.allSettled([giveUntil(ended.signal)]);
  const asking = await Promise.allSettled(ask());
  ended.abort();
  for (const each of [...asking, ...(await giving)]) {
    if (each.status === 'rejected') throw each.reason;
  }

  async function giveUntil(end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      await give().catch((thrown: unknown) => {
        const error = store.mapFailure(thrown);
        if (!isUnavailable(error)) throw error;
      });
      await setTimeout(everyMs, undefined, { signal: end }).catch(() => {});
    }
    await retryPersistently(store, signal, give);
  }
}
