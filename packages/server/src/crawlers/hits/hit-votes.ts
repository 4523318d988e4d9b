import { sql } from 'kysely';
import type { Kysely, RawBuilder, Transaction } from 'kysely';
import { readOwnSites } from '../../storage/queries/read-own-sites.ts';
import type { DataTables } from '../../storage/schema.ts';
import { isPublicSuffix } from '../../values/sites/site.ts';
import { isOf } from './reasons.ts';
import { networksMin } from './standing.ts';
import type { DayProof } from './standing.ts';

type Verdict = DataTables['hit_votes']['verdict'];

/** Reasons by which a hit's address refutes its claim. */
export const isRefuted = isOf('not_in_list', 'wrong_host_name');
const isShared = sql<boolean>`coalesce(overruled_by, '') = 'visitor_address'`;

/** The hits of each verdict. A signature proves nothing about addresses. */
const conditions: Readonly<Record<Verdict, RawBuilder<boolean>>> = {
  verified: sql`verification = 'verified' and ${isOf('in_list', 'host_name')}`,
  refuted: sql`${isRefuted} and not ${isShared}`,
  shared: sql`${isRefuted} and ${isShared}`,
};

/** Counts a day's votes of one verdict again, from its hits. */
export async function countVotes(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { day, ofDay, verdict }: { day: number; ofDay: RawBuilder<boolean>; verdict: Verdict },
): Promise<void> {
  const site = await siteOfHost(transaction, workspaceId);
  await transaction
    .deleteFrom('hit_votes')
    .where('workspace_id', '=', workspaceId)
    .where('day', '=', day)
    .where('verdict', '=', verdict)
    .execute();
  await sql`insert into hit_votes (workspace_id, day, verdict, site, operator, network, hits)
    select workspace_id, ${sql.lit(day)}, ${sql.lit(verdict)}, ${site}, bot_company, network, count(*)
    from hits where ${ofDay} and network is not null and ${conditions[verdict]}
    group by workspace_id, 4, bot_company, network`.execute(transaction);
}

/**
 * The site that a hit's host belongs to, as the domain of an own site with its subdomains. Empty for all
 * other hosts, since clients can make hosts up.
 */
export async function siteOfHost(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<RawBuilder<string>> {
  const domains = await readOwnSites(db, workspaceId);
  if (domains.length === 0) return sql<string>`''`;
  const cases = domains
    .toSorted((left, right) => right.length - left.length)
    .map((domain) => {
      // Anybody may register a domain under one such as `github.io`.
      const below = isPublicSuffix(domain) ? `www.${domain}` : `%.${domain}`;
      return sql`when host = ${domain} or host like ${below} then ${domain}`;
    });
  return sql<string>`case ${sql.join(cases, sql` `)} else '' end`;
}

/** What a site's standing rests on. */
interface SiteProof extends DayProof {
  readonly site: string;
}

/** The proof of every site from one day to another, both included. */
export async function readProofs(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to }: { from: number; to: number },
): Promise<readonly SiteProof[]> {
  const rows = await db
    .selectFrom('hit_votes')
    .select(['site', 'day'])
    .select(({ fn }) => [
      fn.min('operator').as('firstOperator'),
      fn.max('operator').as('lastOperator'),
      fn.min('network').as('firstNetwork'),
      fn.max('network').as('lastNetwork'),
      fn.count<number>('network').distinct().as('networkCount'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('verdict', '=', 'verified')
    .groupBy(['site', 'day'])
    .orderBy('site')
    .orderBy('day')
    .execute();
  return rows.map(({ site, day, networkCount, ...row }) => ({
    site,
    day,
    operators: [row.firstOperator, row.lastOperator],
    networks: [row.firstNetwork, row.lastNetwork],
    networkCount: Math.min(networkCount, networksMin),
  }));
}

/** The proof of one site. Hosts that are no own site share the proof of the whole log. */
export function proofsOf(site: string, proofs: readonly SiteProof[]): readonly DayProof[] {
  return site === '' ? proofs : proofs.filter((proof) => proof.site === site);
}
