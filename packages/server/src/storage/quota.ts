import type { QuotaState, Store } from './store.ts';
import { sql } from 'kysely';

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

/**
 * Reads how many requests of a workspace counted against its quota in the last `windowMs`, by
 * endpoint.
 */
export async function readQuotaUse(
  { access, dialect }: Store,
  workspaceId: string,
  { windowMs, clock }: { windowMs: number; clock: () => number },
): Promise<ReadonlyMap<string, number>> {
  const used =
    dialect === 'postgres'
      ? sql<UsedRow>`
          select endpoint, (
            select count(*) from unnest(log) as entries(at)
            where entries.at > (extract(epoch from now()) * 1000)::bigint - ${windowMs}::bigint
          ) as used
          from quota_log where workspace_id = ${workspaceId}`
      : sql<UsedRow>`
          select endpoint, count(*) as used from quota_times
          where workspace_id = ${workspaceId} and at > ${clock() - windowMs} group by endpoint`;
  const { rows } = await used.execute(access);
  return new Map(rows.map(({ endpoint, used: count }) => [endpoint, count]));
}

interface UsedRow {
  readonly endpoint: string;
  readonly used: number;
}
