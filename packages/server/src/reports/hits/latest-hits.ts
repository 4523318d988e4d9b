import type { HitRow } from '@overheard/contract';
import { z } from 'zod';
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
  source: ReportSource,
  { limit, ...filter }: HitFilter & { readonly limit: number },
): Promise<LatestHit[]> {
  return latest(source, filter)
    .select(['id', 'bot_name', 'bot_company', 'category', 'path', 'method', 'status'])
    .select(['verification', 'hit_at', 'host', 'evidence', 'overruled_by'])
    .limit(limit)
    .execute();
}

/** Reasons that say that the log has another's address in place of the client's. */
const proxyReasons = z.enum(['proxy_address', 'private_address', 'visitor_address']);
const proxyEvidence = z.object({ reason: proxyReasons, list: z.string().exactOptional() });

/** What says that a log comes from behind a proxy. */
export interface ProxySigns {
  /** Of how many hits, the latest of the period. */
  readonly sampled: number;
  readonly hits: number;
  /** The reason that most of them have. */
  readonly reason: z.output<typeof proxyReasons>;
  /** The list of a content network that has the address, such as `proxy/cloudflare-v4`. */
  readonly list: string | null;
}

/** Hits that are looked at. */
const sampleMax = 1000;
/** Fewer may be visits of a colleague behind a proxy. */
const partMin = 0.1;

/**
 * Looks for a proxy in the latest hits of a period. Null if less than a tenth of them have the
 * address of one.
 */
export async function findProxySigns(
  source: ReportSource,
  filter: HitFilter,
): Promise<ProxySigns | null> {
  const rows = await latest(source, filter)
    .select(['evidence', 'overruled_by'])
    .limit(sampleMax)
    .execute();
  const signs = rows.flatMap(({ evidence, overruled_by: reason }) => {
    const details: unknown = reason === null ? JSON.parse(evidence ?? 'null') : { reason };
    const read = proxyEvidence.safeParse(details);
    return read.success ? [read.data] : [];
  });
  if (signs.length < rows.length * partMin) return null;
  const byReason = Map.groupBy(signs, ({ reason }) => reason);
  const [most] = [...byReason].toSorted(([, left], [, right]) => right.length - left.length);
  if (most === undefined) return null;
  const list = signs.find((sign) => sign.list !== undefined)?.list ?? null;
  return { sampled: rows.length, hits: signs.length, reason: most[0], list };
}

function latest({ db, workspaceId }: ReportSource, filter: HitFilter) {
  return periodHits(db, workspaceId, filter).orderBy('hit_at', 'desc').orderBy('id');
}
