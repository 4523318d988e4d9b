import type { DatabaseSync } from 'node:sqlite';
import { quotaState } from '../quota.ts';
import type { AdmissionRequest, QuotaState } from '../store.ts';

/** A request that was admitted while it could not be counted. */
export interface UncountedRequest {
  readonly request: AdmissionRequest;
  readonly atMs: number;
}

/**
 * Counts requests in their order and in one transaction, after those that could not be counted
 * before.
 */
export type QuotaLog = (
  requests: readonly AdmissionRequest[],
  uncounted?: readonly UncountedRequest[],
) => ReadonlyMap<AdmissionRequest, QuotaState>;

/** Places of the entries of one log: `first` to `next` - 1, oldest first. */
interface Bounds {
  readonly first: number;
  readonly next: number;
}

/**
 * The exact sliding log on SQLite: one row per request of the last hour, written in an immediate
 * transaction, so that any number of processes share one count. A request reads and writes a few
 * rows, independent of the quota. Throws SQLite's error if the file is locked or cannot be written.
 * Then none of the requests has been counted.
 */
export function openQuotaLog(database: DatabaseSync, { clock }: { clock: () => number }): QuotaLog {
  const begin = database.prepare('begin immediate');
  const commit = database.prepare('commit');
  const rollback = database.prepare('rollback');
  const times = openTimes(database);

  return function countAll(requests, uncounted = []) {
    begin.run();
    try {
      // Read the clock after locking the file, so that no other process has logged a later time.
      const atMs = clock();
      for (const entry of uncounted) add(entry, atMs);
      const states = new Map(requests.map((request) => [request, count(request, atMs)]));
      commit.run();
      return states;
    } catch (error) {
      if (database.isTransaction) rollback.run();
      throw error;
    }
  };

  function count(request: AdmissionRequest, atMs: number): QuotaState {
    const { quota, windowSeconds } = request;
    const windowMs = windowSeconds * 1000;
    const bounds = times.slide(request, { atMs, windowMs });
    const { first } = bounds;
    const isAdmitted = bounds.next - first < quota;
    if (isAdmitted) times.append(request, bounds, atMs);
    const next = isAdmitted ? bounds.next + 1 : bounds.next;
    const blocking = Math.max(first, next - quota);
    const blockingMs = blocking < next ? times.at(request, blocking) : atMs;
    return quotaState({ isAdmitted, count: next - first, blockingMs, quota, windowMs, atMs });
  }

  /**
   * Adds an entry. Entries stay in the order of their times, so a late one gets the time of the
   * latest.
   */
  function add({ request, atMs: admittedMs }: UncountedRequest, atMs: number): void {
    const windowMs = request.windowSeconds * 1000;
    if (admittedMs <= atMs - windowMs) return;
    const bounds = times.slide(request, { atMs, windowMs });
    const { first, next } = bounds;
    const latestMs = first < next ? times.at(request, next - 1) : 0;
    times.append(request, bounds, Math.max(latestMs, Math.min(admittedMs, atMs)));
  }
}

/** Opens the table with the logs' times. */
function openTimes(database: DatabaseSync) {
  const where = 'where workspace_id = ? and endpoint = ?';
  const select = database.prepare(`select first, next from quota_log ${where}`);
  const upsert = database.prepare(
    'insert into quota_log (workspace_id, endpoint, first, next) values (?, ?, ?, ?) on conflict (workspace_id, endpoint) do update set first = excluded.first, next = excluded.next',
  );
  const selectAt = database.prepare(`select at from quota_times ${where} and place = ?`);
  const insertAt = database.prepare(
    'insert into quota_times (workspace_id, endpoint, place, at) values (?, ?, ?, ?)',
  );
  const clamp = database.prepare(
    `update quota_times set at = ? ${where} and place >= ? and at > ?`,
  );
  const removeBefore = database.prepare(`delete from quota_times ${where} and place < ?`);

  return { slide, append, at: readMoment };

  function readMoment({ workspaceId, endpoint }: AdmissionRequest, place: number): number {
    return Number(selectAt.get(workspaceId, endpoint, place)?.['at'] ?? 0);
  }

  function append(
    { workspaceId, endpoint }: AdmissionRequest,
    { first, next }: Bounds,
    atMs: number,
  ): void {
    insertAt.run(workspaceId, endpoint, next, atMs);
    upsert.run(workspaceId, endpoint, first, next + 1);
  }

  /**
   * Drops the entries that have left the window. Entries in the future count as now, so that nobody
   * is locked out after a clock was set back.
   */
  function slide(
    request: AdmissionRequest,
    { atMs, windowMs }: { atMs: number; windowMs: number },
  ): Bounds {
    const { workspaceId, endpoint } = request;
    const stored = select.get(workspaceId, endpoint);
    if (stored === undefined) return { first: 0, next: 0 };
    const [oldest, next] = [Number(stored['first']), Number(stored['next'])];
    if (oldest < next && readMoment(request, next - 1) > atMs) {
      clamp.run(atMs, workspaceId, endpoint, oldest, atMs);
    }
    let first = oldest;
    while (first < next && readMoment(request, first) <= atMs - windowMs) first += 1;
    if (first > oldest) {
      removeBefore.run(workspaceId, endpoint, first);
      upsert.run(workspaceId, endpoint, first, next);
    }
    return { first, next };
  }
}
