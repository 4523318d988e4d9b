import { LRUCache } from 'lru-cache';
import { networkOf } from '../values/addresses/networks.ts';

/** Returns the seconds to wait if an address has sent too many invalid keys. */
export type FailureLimit = (address: string) => number | undefined;

/**
 * Counts invalid keys per address (IPv6 per /64), in windows of a minute, in this process. Called
 * only after a key has failed, so that a valid key is never affected.
 */
export function createFailureLimit({
  failuresMax = 30,
  windowMs = 60_000,
  addressesMax = 10_000,
  clock,
}: {
  failuresMax?: number;
  windowMs?: number;
  addressesMax?: number;
  clock: () => number;
}): FailureLimit {
  const windows = new LRUCache<string, { startMs: number; failures: number }>({
    // Not `max`, because it allocates all entries at once.
    maxSize: addressesMax,
    sizeCalculation: () => 1,
  });

  return function noteFailure(address) {
    const nowMs = clock();
    const network = networkOf(address);
    const current = windows.get(network);
    const age = current === undefined ? windowMs : nowMs - current.startMs;
    // A clock that was set back begins a new window too.
    const window =
      current === undefined || age >= windowMs || age < 0
        ? { startMs: nowMs, failures: 0 }
        : current;
    window.failures += 1;
    windows.set(network, window);
    if (window.failures <= failuresMax) return undefined;
    return Math.max(1, Math.ceil((window.startMs + windowMs - nowMs) / 1000));
  };
}
