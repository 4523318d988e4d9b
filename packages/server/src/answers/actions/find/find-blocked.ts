import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { endOfDay, startOfDay } from '../../../values/time/utc-day.ts';
import { contentId } from '../../../values/uuid.ts';
import type { DataTables } from '../../../storage/schema.ts';
import type { FoundAction } from '../rules/found-action.ts';
import { blockedImpact, impactScore } from '../rules/impact.ts';
import { stakeOf } from '../rules/kinds.ts';
import { shorten } from '../rules/recommendation.ts';
import type { Days } from '../rules/window.ts';

/**
 * A path is blocked from this many refused requests on, if they make at least this share of all.
 */
const refusedMin = 5;

/** 404 and 410 say that a page is gone. They do not mean that the bot is blocked. */
const isRefused = sql<boolean>`(status between 400 and 599 and status not in (404, 410))`;

/**
 * Finds paths that refused a verified AI crawler: with 4xx or 5xx on at least 5, and at least half,
 * of its requests in the window. The same path on two sites counts as two paths.
 */
export async function findBlocked(
  db: Kysely<DataTables>,
  workspaceId: string,
  days: Days,
): Promise<FoundAction[]> {
  const verified = db
    .selectFrom('hits')
    .where('workspace_id', '=', workspaceId)
    .where('verification', '=', 'verified')
    .where('hit_at', '>=', startOfDay(days.from))
    .where('hit_at', '<', endOfDay(days.to));
  const refused = sql<number>`sum(case when ${isRefused} then 1 else 0 end)`;
  const paths = await verified
    .select(['bot_name', 'bot_company', 'category', 'host', 'path'])
    .select((query) => [query.fn.countAll<number>().as('requests'), refused.as('refused')])
    .groupBy(['bot_name', 'bot_company', 'category', 'host', 'path'])
    .having(refused, '>=', refusedMin)
    .orderBy('bot_name')
    .orderBy('host', (order) => order.asc().nullsFirst())
    .orderBy('path')
    .execute();
  return paths
    .filter((row) => 2 * row.refused >= row.requests)
    .map((row) => {
      const { bot_name: bot, host, path } = row;
      const stake = stakeOf({ part: row.refused, whole: row.requests });
      const impact = blockedImpact(stake, { isForCorpus: row.category === 'crawler' });
      return {
        id: contentId('action', ['blocked', bot, host, path]),
        kind: 'blocked',
        promptId: null,
        recommendation: `Let ${bot} of ${row.bot_company} read ${shorten(`${host ?? ''}${path}`, 200)}: ${row.refused} of its ${row.requests} verified requests from ${days.from} to ${days.to} were refused with 4xx or 5xx.`,
        impact: impactScore(impact),
        sov: null,
        parts: { ...impact, days, stake, filter: { request: { bot, host, path } } },
      };
    });
}
