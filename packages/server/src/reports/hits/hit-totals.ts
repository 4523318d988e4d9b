import { sql } from 'kysely';
import { periodDays } from '../../storage/queries/period-hits.ts';
import type { ReportSource } from '../report-source.ts';

/** Hits of a period, of all sites and bots or one. UTC days, both included. */
export interface HitFilter {
  readonly from: string;
  readonly to: string;
  readonly host?: string | undefined;
  readonly botName?: string | undefined;
}

/** Counts of the hits of a period, by verdict and by class of status. */
export interface HitTotals {
  readonly hits: number;
  readonly bots: number;
  readonly verified: number;
  readonly spoofed: number;
  readonly unverified: number;
  readonly ok: number;
  readonly redirected: number;
  readonly refused: number;
  readonly failed: number;
  readonly last_at: string | null;
}

/** Counts all hits of a period. */
export async function readHitTotals(
  { db, workspaceId }: ReportSource,
  filter: HitFilter,
): Promise<HitTotals> {
  const sum = (columns: string) =>
    sql<number>`cast(coalesce(sum(${sql.raw(columns)}), 0) as integer)`;
  return periodDays(db, workspaceId, filter)
    .select(({ fn }) => [
      sum('verified + spoofed + unverified').as('hits'),
      sql<number>`cast(count(distinct bot_name) as integer)`.as('bots'),
      sum('verified').as('verified'),
      sum('spoofed').as('spoofed'),
      sum('unverified').as('unverified'),
      sum('ok').as('ok'),
      sum('redirected').as('redirected'),
      sum('refused').as('refused'),
      sum('failed').as('failed'),
      fn.max<string | null>('last_at').as('last_at'),
    ])
    .executeTakeFirstOrThrow();
}
