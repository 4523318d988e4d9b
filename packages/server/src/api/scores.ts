import { limits, scores } from '@overheard/contract';
import type { ScoreRow } from '@overheard/contract';
import { dayMs, utcDay } from '../values/utc-day.ts';
import type { Reading } from './endpoint.ts';

/** One row per engine and day of the last 180 days, today (UTC) included. */
export function readScores({ db, workspaceId, today }: Reading): Promise<ScoreRow[]> {
  const todayMs = Date.parse(today);
  const since = utcDay(todayMs - (limits.scoresDays - 1) * dayMs);
  return db
    .selectFrom('scores')
    .select(scores.fields)
    .where('workspace_id', '=', workspaceId)
    .where('date', '>=', since)
    .where('date', '<=', today)
    .orderBy('date', 'desc')
    .orderBy('engine')
    .execute();
}
