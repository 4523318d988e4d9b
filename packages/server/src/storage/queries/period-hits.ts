import type { Kysely } from 'kysely';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { DataTables } from '../schema.ts';

/** Selects hits. `from` and `to` are UTC days, both included; what is absent selects nothing out. */
export interface PeriodHits {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly host?: string | undefined;
  readonly botName?: string | undefined;
}

/** Stored hits of a period, of all sites and bots or one. */
export function periodHits(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, host, botName }: PeriodHits,
) {
  return db
    .selectFrom('hits')
    .where('workspace_id', '=', workspaceId)
    .$if(from !== undefined, (is) => is.where('hit_at', '>=', startOfDay(from ?? '')))
    .$if(to !== undefined, (is) => is.where('hit_at', '<', endOfDay(to ?? '')))
    .$if(host !== undefined, (is) => is.where('host', '=', host ?? ''))
    .$if(botName !== undefined, (is) => is.where('bot_name', '=', botName ?? ''));
}

/** The counts of hits of a period by day, host and bot. */
export function periodDays(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, host, botName }: PeriodHits,
) {
  return db
    .selectFrom('hit_days')
    .where('workspace_id', '=', workspaceId)
    .$if(from !== undefined, (is) => is.where('date', '>=', from ?? ''))
    .$if(to !== undefined, (is) => is.where('date', '<=', to ?? ''))
    .$if(host !== undefined, (is) => is.where('host', '=', host ?? ''))
    .$if(botName !== undefined, (is) => is.where('bot_name', '=', botName ?? ''));
}
