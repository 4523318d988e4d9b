import { LRUCache } from 'lru-cache';
import type { Store } from '../storage/store.ts';
import type { Access } from './authenticate.ts';

/** A key's last use is written at most this often. */
const everyMs = 5 * 60_000;

/**
 * Notes when keys were last used, off the request's path: after the answer, at most every five
 * minutes a key. A failure is reported and otherwise ignored.
 */
export function createLastUse({
  store,
  clock,
  onFailure,
}: {
  store: Store;
  clock: () => number;
  onFailure: (error: unknown) => void;
}): (access: Access) => void {
  const noted = new LRUCache<string, number>({ max: 10_000 });

  return function noteUse({ keyId, lastUsedAt }) {
    const nowMs = clock();
    const storedMs = lastUsedAt === null ? undefined : Date.parse(lastUsedAt);
    if (isRecent(noted.get(keyId), nowMs) || isRecent(storedMs, nowMs)) return;
    noted.set(keyId, nowMs);
    setImmediate(() => {
      store.touchKey(keyId, new Date(nowMs).toISOString()).catch((error: unknown) => {
        // The next use is noted instead.
        noted.delete(keyId);
        onFailure(error);
      });
    });
  };
}

/** A last use in the future is one of a clock that was wrong: it is written anew. */
function isRecent(lastMs: number | undefined, nowMs: number): boolean {
  return lastMs !== undefined && lastMs <= nowMs && nowMs - lastMs < everyMs;
}
