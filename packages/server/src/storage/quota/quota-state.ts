import type { QuotaState } from '../store.ts';

/** What is left and when there is more, from the log's length and the entry that must leave it first. */
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
  /** The oldest entry; where the log is full, the one whose leaving makes room. */
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
