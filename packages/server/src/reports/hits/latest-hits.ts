import { periodHits } from '../../storage/queries/period-hits.ts';
import type { ReportSource } from '../report-source.ts';
import type { HitFilter } from './hit-totals.ts';

/** A hit without anything of the client. */
export type LatestHit = Awaited<ReturnType<typeof readLatestHits>>[number];

/** The latest hits of a period, newest first. */
export function readLatestHits(
  { db, workspaceId }: ReportSource,
  { limit, ...filter }: HitFilter & { readonly limit: number },
) {
  return periodHits(db, workspaceId, filter)
    .orderBy('hit_at', 'desc')
    .orderBy('id')
    .select(['id', 'bot_name', 'bot_company', 'category', 'path', 'method', 'status'])
    .select(['verification', 'hit_at', 'host', 'evidence', 'overruled_by'])
    .limit(limit)
    .execute();
}
