/** Places for long reads, in a test. */
import { setTimeout as afterMs } from 'node:timers/promises';
import type { Snapshot, Store } from '../../src/storage/store.ts';

/** Takes every place for long reads that a workspace has; gives what frees them again. */
export async function takeAllPlaces(
  store: Store,
  workspaceId: string,
): Promise<() => Promise<void>> {
  const taken: Snapshot[] = [];
  for (;;) {
    const next = store.snapshot({ workspaceId });
    const snapshot = await Promise.race([next, afterMs(3000)]);
    if (snapshot !== undefined) {
      taken.push(snapshot);
      continue;
    }
    // It seems to wait for a place: it leaves as soon as it has one.
    next.then((late) => late.release()).catch(() => {});
    return async () => {
      for (const each of taken) await each.release();
    };
  }
}
