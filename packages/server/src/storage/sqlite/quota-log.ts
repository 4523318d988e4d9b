import type { DatabaseSync } from 'node:sqlite';
import { quotaState } from '../quota-state.ts';
import type { AdmissionRequest, QuotaState } from '../store.ts';

/** Counts requests, in their order and in one transaction. */
export type QuotaLog = (
  requests: readonly AdmissionRequest[],
) => ReadonlyMap<AdmissionRequest, QuotaState>;

/**
 * The exact sliding log on SQLite: one blob of times per workspace and endpoint, changed inside an
 * immediate transaction, so that any number of processes share one count.
 * Throws SQLite's error where another process holds the file or it cannot be written; then none of
 * the requests has been counted.
 */
export function openQuotaLog(database: DatabaseSync, { clock }: { clock: () => number }): QuotaLog {
  const begin = database.prepare('begin immediate');
  const commit = database.prepare('commit');
  const rollback = database.prepare('rollback');
  const select = database.prepare(
    'select log from quota_log where workspace_id = ? and endpoint = ?',
  );
  const upsert = database.prepare(
    'insert into quota_log (workspace_id, endpoint, log) values (?, ?, ?) on conflict (workspace_id, endpoint) do update set log = excluded.log',
  );

  return function countAll(requests) {
    begin.run();
    try {
      // Read once the file is ours, so that no other process has logged a later time.
      const atMs = clock();
      const states = new Map(requests.map((request) => [request, count(request, atMs)]));
      commit.run();
      return states;
    } catch (error) {
      if (database.isTransaction) rollback.run();
      throw error;
    }
  };

  function count(request: AdmissionRequest, atMs: number): QuotaState {
    const { workspaceId, endpoint, quota, windowSeconds } = request;
    const windowMs = windowSeconds * 1000;
    const stored = readLog(select.get(workspaceId, endpoint)?.['log']);
    const log = slide(stored, atMs, windowMs);
    const isAdmitted = log.length < quota;
    if (isAdmitted) log.push(atMs);
    // Times of the future are set right also where nobody is admitted: they would never leave.
    if (isAdmitted || stored.some((entry) => entry > atMs)) {
      upsert.run(workspaceId, endpoint, new Uint8Array(Float64Array.from(log).buffer));
    }
    const blockingMs = log[Math.max(0, log.length - quota)] ?? atMs;
    return quotaState({ isAdmitted, count: log.length, blockingMs, quota, windowMs, atMs });
  }
}

/** Entries of the future count as now, so that a clock that was set back locks nobody out. */
function slide(log: Float64Array, atMs: number, windowMs: number): number[] {
  const kept: number[] = [];
  for (const entry of log) {
    const time = Math.min(entry, atMs);
    if (time > atMs - windowMs) kept.push(time);
  }
  return kept;
}

function readLog(blob: unknown): Float64Array {
  if (!(blob instanceof Uint8Array)) return new Float64Array();
  return new Float64Array(blob.slice().buffer);
}
