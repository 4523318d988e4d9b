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
export type HitTotals = Awaited<ReturnType<typeof readHitTotals>>;

/** Counts all hits of a period. */
export function readHitTotals({ db, workspaceId }: ReportSource, filter: HitFilter) {
  const sum = (columns: string) =>
    sql<number>`cast(coalesce(sum(${sql.raw(columns)}), 0) as integer)`;
  const counts = [
    'verified',
    'spoofed',
    'unverified',
    'ok',
    'redirected',
    'refused',
    'failed',
  ] as const;
  return periodDays(db, workspaceId, filter)
    .select(({ fn }) => [
      sum('verified + spoofed + unverified').as('hits'),
      sql<number>`cast(count(distinct bot_name) as integer)`.as('bots'),
      ...counts.map((name) => sum(name).as(name)),
      fn.max<string | null>('last_at').as('last_at'),
    ])
    .executeTakeFirstOrThrow();
}
