import type { HitRow } from '@overheard/contract';
import { sql } from 'kysely';
import type { ReportSource } from '../report-source.ts';

export type LogBots = Awaited<ReturnType<typeof countLogBots>>;

/** Counts hits from logs by bot and verdict, from one moment to another, both included. */
export async function countLogBots(
  { db, workspaceId }: ReportSource,
  { from, to }: { from: string; to: string },
) {
  const count = (verification: HitRow['verification']) =>
    sql<number>`cast(sum(case when verification = ${verification} then 1 else 0 end) as integer)`;
  return db
    .selectFrom('hits')
    .select(['bot_name as bot', 'bot_company as company', 'category'])
    .select([
      count('verified').as('verified'),
      count('spoofed').as('spoofed'),
      count('unverified').as('unverified'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('hit_at', '>=', from)
    .where('hit_at', '<=', to)
    .where('evidence', 'is not', null)
    .groupBy(['bot_name', 'bot_company', 'category'])
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('bot_name')
    .execute();
}
