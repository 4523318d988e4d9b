import { sql } from 'kysely';
import type { Store } from '../store.ts';

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
