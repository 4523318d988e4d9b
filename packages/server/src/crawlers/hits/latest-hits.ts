import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { Evidence, Reason } from '../verify/verdict.ts';
import { readEvidence } from './hit.ts';
import type { Hit } from './hit.ts';

/** Hits of a period, of all sites and bots or one. UTC days, both included. */
interface HitFilter {
  readonly from: string;
  readonly to: string;
  readonly host?: string | undefined;
  readonly botName?: string | undefined;
}

/** A hit without anything of the client. */
export interface LatestHit extends Omit<
  Hit,
  'address' | 'address_group' | 'user_agent' | 'signature' | 'evidence'
> {
  /** What the verdict rests on; null for an imported hit. */
  readonly evidence: Evidence | null;
}

/** The latest hits of a period, newest first. */
export async function readLatestHits(
  db: Kysely<DataTables>,
  workspaceId: string,
  { limit, ...filter }: HitFilter & { readonly limit: number },
): Promise<LatestHit[]> {
  const rows = await latest(db, workspaceId, filter)
    .select(['id', 'bot_name', 'bot_company', 'category', 'path', 'method', 'status'])
    .select(['verification', 'hit_at', 'host', 'evidence'])
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, evidence: readEvidence(row.evidence)?.shown ?? null }));
}

/** Reasons that say that the log has another's address in place of the client's. */
const proxyReasons = [
  'proxy_address',
  'private_address',
  'none_verified',
] as const satisfies Reason[];

/** What says that a log comes from behind a proxy. */
export interface ProxySigns {
  /** Of how many hits, the latest of the period. */
  readonly sampled: number;
  readonly hits: number;
  /** The reason that most of them have. */
  readonly reason: (typeof proxyReasons)[number];
  /** The name of the content network whose list has the address, such as `cloudflare`. */
  readonly network: string | null;
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
  db: Kysely<DataTables>,
  workspaceId: string,
  filter: HitFilter,
): Promise<ProxySigns | null> {
  const rows = await latest(db, workspaceId, filter).select('evidence').limit(sampleMax).execute();
  const signs = rows.flatMap((row) => {
    const evidence = readEvidence(row.evidence)?.shown;
    const reason = proxyReasons.find((each) => each === evidence?.reason);
    return reason === undefined ? [] : [{ reason, list: evidence?.list ?? null }];
  });
  if (signs.length === 0 || signs.length < rows.length * partMin) return null;
  const byReason = Map.groupBy(signs, ({ reason }) => reason);
  const [most] = [...byReason].toSorted(([, left], [, right]) => right.length - left.length);
  const list = signs.find((each) => each.list !== null)?.list ?? null;
  return {
    sampled: rows.length,
    hits: signs.length,
    reason: most?.[0] ?? 'proxy_address',
    network: list === null ? null : proxyName(list),
  };
}

/** The network of a list of proxies, as `--trust-forwarded` takes it: `proxy/cloudflare-v4` is of `cloudflare`. */
export function proxyName(list: string): string {
  return list.replace(/^proxy\//, '').replace(/-v[46]$/, '');
}

function latest(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, host, botName }: HitFilter,
) {
  return db
    .selectFrom('hits')
    .where('workspace_id', '=', workspaceId)
    .where('hit_at', '>=', startOfDay(from))
    .where('hit_at', '<', endOfDay(to))
    .$if(host !== undefined, (query) => query.where('host', '=', host ?? ''))
    .$if(botName !== undefined, (query) => query.where('bot_name', '=', botName ?? ''))
    .orderBy('hit_at', 'desc')
    .orderBy('id');
}
