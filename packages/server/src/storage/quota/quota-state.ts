import type { QuotaState } from '../store.ts';

/**
 * Computes the remaining quota and the time until there is more, from the log's length and its
 * oldest entry.
 */
export function quotaState({
  isAdmitted,
  count,
  blockingMs,
  quota,
  windowMs,
  atMs,
}: {
  isAdmitted: boolean;
  count: number;
  /** The oldest entry or, if the log is full, the entry that must leave to make room. */
  blockingMs: number;
  quota: number;
  windowMs: number;
  atMs: number;
}): QuotaState {
  return {
    isAdmitted,
    left: Math.max(0, quota - count),
    resetSeconds: Math.max(1, Math.ceil((blockingMs + windowMs - atMs) / 1000)),
  };
}
