import { dayMs } from '../../values/time/utc-day.ts';
import type { ReportSource } from '../report-source.ts';

/** What lists and host names say of the addresses of hits, before any overruling. */
export interface AddressVerdicts {
  readonly verified: number;
  /** Refuted, and no visitor shares the address. */
  readonly refuted: number;
  /** Refuted, with an ordinary visitor behind the address. */
  readonly shared: number;
  /** Networks of refuted hits; at most `networksMax`. */
  readonly networks: number;
}

/** More are not counted: anyone can send requests from many networks. */
export const networksMax = 10_000;

/** Counts the hits of a period, UTC days, both included, whose addresses a list or a name decides. */
export async function readAddressVerdicts(
  { db, workspaceId }: ReportSource,
  { from, to }: { from: string; to: string },
): Promise<AddressVerdicts> {
  const votes = db
    .selectFrom('hit_votes')
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', Date.parse(from) / dayMs)
    .where('day', '<=', Date.parse(to) / dayMs);
  const sums = await votes
    .select(({ fn }) => ['verdict', fn.sum<number>('hits').as('hits')])
    .groupBy('verdict')
    .execute();
  const counts = new Map(sums.map(({ verdict, hits }) => [verdict, hits]));
  const { networks } = await db
    .selectFrom(
      votes
        .select('network')
        .distinct()
        .where('verdict', '=', 'refuted')
        .limit(networksMax)
        .as('refuted'),
    )
    .select(({ fn }) => fn.countAll<number>().as('networks'))
    .executeTakeFirstOrThrow();
  return {
    verified: counts.get('verified') ?? 0,
    refuted: counts.get('refuted') ?? 0,
    shared: counts.get('shared') ?? 0,
    networks,
  };
}
