import { Failure } from '@overheard/tools';

/** The effects that retries need. */
export interface Timing {
  /** Milliseconds on a clock that does not jump. */
  now(): number;
  /** 0 to 1. */
  random(): number;
  /** Resolves after some milliseconds. Rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface RetryLimits {
  readonly retriesMax: number;
  /** The longest wait that a server may ask for before the call gives up. */
  readonly waitSecondsMax: number;
  readonly attemptMs: number;
  readonly totalMs: number;
}

/** All attempts together stay under 30 s, because hosts give up after 60 s and people sooner. */
export const retryLimits: RetryLimits = {
  retriesMax: 2,
  waitSecondsMax: 10,
  attemptMs: 12_000,
  totalMs: 28_000,
};

/**
 * Repeats a read until it succeeds, cannot succeed, or the time is over. Each attempt gets its own
 * signal, which aborts with the caller's signal or when its time is over.
 */
export async function withRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  {
    signal,
    timing,
    limits = retryLimits,
  }: { signal: AbortSignal; timing: Timing; limits?: RetryLimits },
): Promise<T> {
  const end = timing.now() + limits.totalMs;
  for (let retries = 0; ; retries++) {
    // Round to whole milliseconds, because the clock has fractions and the platform accepts none.
    const left = Math.floor(end - timing.now());
    const timeout = AbortSignal.timeout(Math.max(1, Math.min(limits.attemptMs, left)));
    try {
      return await attempt(AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      const wait =
        retries < limits.retriesMax ? waitAfter(error, retries, timing, limits) : undefined;
      if (wait === undefined || timing.now() + wait >= end) throw error;
      await timing.sleep(wait, signal);
    }
  }
}

/** Milliseconds to wait before the next attempt; undefined if another would not help. */
function waitAfter(
  error: unknown,
  retries: number,
  timing: Timing,
  { waitSecondsMax }: RetryLimits,
): number | undefined {
  if (!(error instanceof Failure)) return undefined;
  const { waitSeconds } = error.facts;
  if (waitSeconds !== undefined && waitSeconds > waitSecondsMax) return undefined;
  // Half of the wait is random, so that not all clients retry at once when a server is back.
  const backoff = 200 * 2 ** retries * (0.5 + timing.random());
  switch (error.code) {
    case 'refused_connection':
    case 'broken_connection':
    case 'timed_out':
      return backoff;
    case 'server_failed':
      return Math.max(backoff, (waitSeconds ?? 0) * 1000);
    case 'quota_spent':
      return waitSeconds === undefined ? undefined : waitSeconds * 1000 + backoff;
    default:
      return undefined;
  }
}
