import type { HitRow } from '@overheard/contract';
import { periodHits } from '../../storage/queries/period-hits.ts';
import type { OverruledBy } from '../../storage/tables/crawler-tables.ts';
import type { ReportSource } from '../report-source.ts';
import type { HitFilter } from './hit-totals.ts';

/** A hit without anything of the client. */
export interface LatestHit extends HitRow {
  readonly id: string;
  readonly host: string | null;
  /** What the hit's own verdict rests on, as stored; null for an imported hit. */
  readonly evidence: string | null;
  /** Why the site's hits and visitors overrule it. */
  readonly overruled_by: OverruledBy | null;
}

/** The latest hits of a period, newest first. */
export async function readLatestHits(
  { db, workspaceId }: ReportSource,
  { limit, ...filter }: HitFilter & { readonly limit: number },
): Promise<LatestHit[]> {
  return periodHits(db, workspaceId, filter)
    .orderBy('hit_at', 'desc')
    .orderBy('id')
    .select(['id', 'bot_name', 'bot_company', 'category', 'path', 'method', 'status'])
    .select(['verification', 'hit_at', 'host', 'evidence', 'overruled_by'])
    .limit(limit)
    .execute();
}
