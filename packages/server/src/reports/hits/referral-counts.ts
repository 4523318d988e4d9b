import { limits } from '@overheard/contract';
import { sql } from 'kysely';
import type { ReportSource } from '../report-source.ts';
import type { HitFilter } from './hit-totals.ts';

/** People who came from answers of one engine to one page. */
export interface ReferralCount {
  readonly engine: string;
  readonly host: string | null;
  readonly path: string;
  readonly referrals: number;
  /** The UTC day of the last visit. */
  readonly last_date: string;
}

/** The people who came from answers in a period. */
export interface ReferralCounts {
  readonly referrals: number;
  /** By engine, most first. */
  readonly engines: ReadonlyArray<{ readonly engine: string; readonly referrals: number }>;
  /** By engine and page, most first. */
  readonly pages: readonly ReferralCount[];
}

/** Counts the people who came from answers, by engine and page. */
export async function readReferralCounts(
  source: ReportSource,
  filter: HitFilter,
): Promise<ReferralCounts> {
  const filtered = selectReferrals(source, filter);
  const engines = await filtered
    .select(['engine', count.as('referrals')])
    .groupBy('engine')
    .orderBy('referrals', 'desc')
    .orderBy('engine')
    .execute();
  const pages = await filtered
    .select(['engine', 'host', 'path', count.as('referrals')])
    .select(({ fn }) => fn.max<string>('date').as('last_date'))
    .groupBy(['engine', 'host', 'path'])
    .orderBy('referrals', 'desc')
    .orderBy(({ fn, val }) => fn.coalesce('host', val('')))
    .orderBy('path')
    .orderBy('engine')
    .limit(limits.reportRowsMax)
    .execute();
  return {
    referrals: engines.reduce((all, { referrals }) => all + referrals, 0),
    engines,
    pages,
  };
}

/** Counts them by day, page and engine: the newest days first, and of a day the most visited pages. */
export async function readDailyReferrals(
  source: ReportSource,
  filter: HitFilter & { readonly engine?: string | undefined },
) {
  return selectReferrals(source, filter)
    .select(['date', 'host', 'path', 'engine', count.as('referrals')])
    .groupBy(['date', 'host', 'path', 'engine'])
    .orderBy('date', 'desc')
    .orderBy('referrals', 'desc')
    .orderBy(({ fn, val }) => fn.coalesce('host', val('')))
    .orderBy('path')
    .orderBy('engine')
    .execute();
}

const count = sql<number>`cast(count(*) as integer)`;

function selectReferrals(
  { db, workspaceId }: ReportSource,
  { from, to, host, engine }: HitFilter & { readonly engine?: string | undefined },
) {
  return db
    .selectFrom('referrals')
    .where('workspace_id', '=', workspaceId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .$if(host !== undefined, (query) => query.where('host', '=', host ?? ''))
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''));
}
