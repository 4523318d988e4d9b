import type { Kysely } from 'kysely';
import { readOwnSites } from '../../storage/queries/read-own-sites.ts';
import type { DataTables } from '../../storage/schema.ts';
import { plural } from '../../values/plural.ts';
import { dayMs, utcDay } from '../../values/time/utc-day.ts';
import { proofsOf, readProofs } from './hit-votes.ts';
import { doubtOf, proofDays } from './standing.ts';

/** What proves that a site's log has the addresses of clients. Days are UTC. */
export type SiteStanding = Awaited<ReturnType<typeof readStandings>>[number];

/** Reads the standing of each own site in a period, and that of all other hosts. */
export async function readStandings(
  db: Kysely<DataTables>,
  workspaceId: string,
  period: { readonly from: string; readonly to: string },
) {
  const [first, last] = [Date.parse(period.from) / dayMs, Date.parse(period.to) / dayMs];
  const [from, to] = [first - proofDays, last + proofDays];
  const proofs = await readProofs(db, workspaceId, { from, to });
  const standingOf = async (site: string) => {
    const votes = await db
      .selectFrom('hit_votes')
      .select(({ fn }) => [
        'operator',
        fn.count<number>('network').distinct().as('networks'),
        fn.min<number>('day').as('first'),
        fn.max<number>('day').as('last'),
      ])
      .where('workspace_id', '=', workspaceId)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .where('verdict', '=', 'verified')
      .$if(site !== '', (query) => query.where('site', '=', site))
      .groupBy('operator')
      .orderBy('operator')
      .execute();
    const own = proofsOf(site, proofs);
    const days = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const proven = days.filter((day) => doubtOf(day, own) === null);
    return {
      /** The domain of an own site; null for all other hosts, which the whole log proves together. */
      domain: site === '' ? null : site,
      /** Verified by address, from 30 days before the period to 30 days after it, by operator. */
      votes: votes.map(({ operator, networks, ...day }) => ({
        operator,
        networks,
        first_on: utcDay(day.first * dayMs),
        last_on: utcDay(day.last * dayMs),
      })),
      /** The first and last day of the period whose refuted requests count as forged; null if none does. */
      proven_from: dateOf(proven[0]),
      proven_to: dateOf(proven.at(-1)),
    };
  };
  return Promise.all([...(await readOwnSites(db, workspaceId)), ''].map(standingOf));
}

function dateOf(day: number | undefined): string | null {
  return day === undefined ? null : utcDay(day * dayMs);
}

/** `OpenAI (3 networks, 2026-11-02 to 2026-11-26)`. */
export function voteWords(vote: SiteStanding['votes'][number]): string {
  const { operator, networks, first_on: first, last_on: last } = vote;
  return `${operator} (${plural(networks, 'network')}, ${first} to ${last})`;
}
