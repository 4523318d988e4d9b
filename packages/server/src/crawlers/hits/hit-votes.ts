import type { Kysely, Transaction } from 'kysely';
import type { HitChange } from '../../storage/counts/hit-changes.ts';
import { readOwnSites } from '../../storage/queries/read-own-sites.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { isPublicSuffix } from '../../values/sites/site.ts';
import type { Hit } from './hit.ts';
import { dayOf } from './identity.ts';
import { hasReason, refutedReasons } from './reasons.ts';
import { networksMin } from './standing.ts';
import type { DayProof } from './standing.ts';

type Vote = DataTables['hit_votes'];
type Verdict = Vote['verdict'];

export const votingColumns = [
  'hit_at',
  'host',
  'bot_company',
  'verification',
  'evidence',
  'overruled_by',
  'network',
] as const;

type VotingHit = Pick<Hit, (typeof votingColumns)[number]>;

/** What a hit's address says of its claim. A signature proves nothing about addresses. */
function verdictOf({
  verification,
  evidence,
  overruled_by: by,
  network,
}: VotingHit): Verdict | undefined {
  if (network === null || evidence === null) return undefined;
  if (hasReason(evidence, refutedReasons)) return by === 'visitor_address' ? 'shared' : 'refuted';
  const isVerified = verification === 'verified' && hasReason(evidence, ['in_list', 'host_name']);
  return isVerified ? 'verified' : undefined;
}

/** Sums up what changed hits add to the votes and take from them. */
export function sumVotes(
  workspaceId: string,
  changes: readonly HitChange<VotingHit>[],
  siteOf: SiteOf,
): readonly Vote[] {
  const votes = new Map<string, Vote>();
  for (const { before, after } of changes) {
    add(after, 1);
    if (before !== undefined) add(before, -1);
  }
  return [...votes.values()].filter(({ hits }) => hits !== 0);

  function add(hit: VotingHit, hits: number): void {
    const verdict = verdictOf(hit);
    if (verdict === undefined || hit.network === null) return;
    const { bot_company: operator, network } = hit;
    const [day, site] = [dayOf(Date.parse(hit.hit_at)), siteOf(hit.host)];
    const key = [day, verdict, site, operator, network].join('\0');
    const vote = { workspace_id: workspaceId, day, verdict, site, operator, network, hits: 0 };
    const sum = votes.get(key) ?? vote;
    votes.set(key, { ...sum, hits: sum.hits + hits });
  }
}

/** Adds sums to the stored votes. */
export async function addVotes(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  votes: readonly Vote[],
): Promise<void> {
  await rowStatement(transaction, (rows: readonly Vote[]) =>
    transaction
      .insertInto('hit_votes')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'day', 'verdict', 'site', 'operator', 'network'])
          .doUpdateSet(({ ref, eb }) => ({
            hits: eb(ref('hit_votes.hits'), '+', ref('excluded.hits')),
          })),
      )
      .compile(),
  )(votes);
  for (const vote of votes) {
    if (vote.hits > 0) continue;
    const { workspace_id, day, verdict, site, operator, network } = vote;
    await transaction
      .deleteFrom('hit_votes')
      .where('workspace_id', '=', workspace_id)
      .where('day', '=', day)
      .where('verdict', '=', verdict)
      .where('site', '=', site)
      .where('operator', '=', operator)
      .where('network', '=', network)
      .where('hits', '<=', 0)
      .execute();
  }
}

/** The site that a hit's host belongs to: the domain of an own site. */
export type SiteOf = (host: string | null) => string;

/**
 * Reads which site a hit's host belongs to, as the domain of an own site with its subdomains. Empty for
 * all other hosts, since clients can make hosts up.
 */
export async function readSites(db: Kysely<DataTables>, workspaceId: string): Promise<SiteOf> {
  const domains = await readOwnSites(db, workspaceId);
  const sites = domains
    .toSorted((left, right) => right.length - left.length)
    // Anybody may register a domain under one such as `github.io`.
    .map((domain) => ({ domain, isShared: isPublicSuffix(domain) }));
  return (named) => {
    const host = named ?? '';
    const isOn = ({ domain, isShared }: (typeof sites)[number]) =>
      host === domain || (isShared ? host === `www.${domain}` : host.endsWith(`.${domain}`));
    return sites.find(isOn)?.domain ?? '';
  };
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
