import { unavailable } from '../../problems.ts';

/** Ends work that takes too long with a 503. */
export interface Deadline {
  /** Waits for `work` until the deadline. `discard` releases a result that comes too late. */
  waitFor<Result>(work: Promise<Result>, discard?: (late: Result) => void): Promise<Result>;
  stop(): void;
}

/**
 * A client waits at most this long for the beginning of a response: `deadlineMs`, and up to one
 * sweep more. One timer checks all requests, because one per request costs as much as a query.
 */
export function createDeadline({
  deadlineMs = 8000,
  sweepMs = 500,
}: { deadlineMs?: number; sweepMs?: number } = {}): Deadline {
  const pending = new Set<{ readonly lastSweep: number; readonly end: () => void }>();
  let sweeps = 0;
  const timer = setInterval(sweep, sweepMs).unref();

  return { waitFor, stop: () => clearInterval(timer) };

  function waitFor<Result>(
    work: Promise<Result>,
    discard: (late: Result) => void = () => {},
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = {
        lastSweep: sweeps + Math.ceil(deadlineMs / sweepMs),
        end: () => reject(unavailable('The response took too long.')),
      };
      pending.add(entry);
      let isLate = false;
      work
        .finally(() => {
          isLate = !pending.delete(entry);
        })
        .then((result) => (isLate ? discard(result) : resolve(result)), reject);
    });
  }

  function sweep(): void {
    sweeps += 1;
    for (const entry of pending) {
      // Entries are in the order of their ends.
      if (entry.lastSweep >= sweeps) return;
      pending.delete(entry);
      entry.end();
    }
  }
}
