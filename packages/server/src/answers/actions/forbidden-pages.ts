import type { Kysely } from 'kysely';
import { readPathFacts } from '../../storage/bits/path-bits.ts';
import type { DataTables } from '../../storage/schema.ts';
import { dayMs, endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { Days } from './parts.ts';

/** A page that a bot requested. */
interface BotPage {
  readonly bot_name: string;
  readonly host: string | null;
  readonly path: string;
}

/**
 * Who gets 403 for a page: `everybody` if ordinary visitors got 401 or 403 and none a status under 400,
 * `bots` if visitors got the page, else `unknown`. Only the UTC days count on which the bot got 403: on
 * others, the page may have been another one.
 */
export type ForbiddenTo = 'everybody' | 'bots' | 'unknown';

/** Reads who gets 403 for the pages that forbid a verified bot: a function of a bot and a page. */
export async function findForbidden(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to }: Days,
): Promise<(page: BotPage) => ForbiddenTo> {
  const rows = await db
    .selectFrom('hits')
    .select(['bot_name', 'host', 'path'])
    .select(({ fn, val }) => fn<string>('substr', ['hit_at', val(1), val(10)]).as('day'))
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('verification', '=', 'verified')
    .where('hit_at', '>=', startOfDay(from))
    .where('hit_at', '<', endOfDay(to))
    .where('status', '=', 403)
    .execute();
  const found = new Map<string, Set<ForbiddenTo>>();
  for (const [day, pages] of Map.groupBy(rows, (row) => row.day)) {
    const factsOf = await readPathFacts(db, workspaceId, Date.parse(day) / dayMs);
    for (const page of pages) {
      const all = found.get(keyOf(page)) ?? new Set();
      const { isGot, isRefused } = factsOf(page);
      if (isGot === true) all.add('bots');
      if (isGot === undefined) all.add('unknown');
      if (isRefused === true) all.add('everybody');
      found.set(keyOf(page), all);
    }
  }
  return (page) => {
    const all = found.get(keyOf(page)) ?? new Set();
    if (all.has('bots')) return 'bots';
    return all.has('everybody') && !all.has('unknown') ? 'everybody' : 'unknown';
  };
}

function keyOf({ bot_name: bot, host, path }: BotPage): string {
  return JSON.stringify([bot, host, path]);
}
