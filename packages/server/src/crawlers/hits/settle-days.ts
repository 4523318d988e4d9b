import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { inChunks, padded } from '../../storage/chunks.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { Hit, StoredVerdict } from './hit.ts';
import type { Reason } from '../verify/verdict.ts';
import { clientStart, dayOf, hourPrefix } from './identity.ts';
import { hasReason, likeReason, overrule, overruleInSql, ownInSql } from './overrule.ts';
import { dayMs, utcDay } from '../../values/time/utc-day.ts';
import { deriveHitCounts } from '../../storage/rollups/hit-counts.ts';

/** An address that claims this many operators within an hour is a scanner, or is shared. */
const operatorsMin = 3;
/** Fewer claims on a site's day do not show whether its log has the addresses of clients. */
const claimsMin = 20;
const clientsMin = 3;
/** A scanner finishes within minutes: an address with many operators over this many hours is shared. */
const sharedHoursMin = 3;
const daysAtOnce = 128;
const groupsAtOnce = 4096;
const sitesAtOnce = 4096;

/** An accusation as it is first written: in doubt, until its whole day has been settled. */
export function withhold(verdict: StoredVerdict): StoredVerdict {
  const isAccusation =
    verdict.verification === 'spoofed' && !hasReason(verdict.evidence, ['never_sent']);
  if (!isAccusation) return verdict;
  return { verification: 'unverified', evidence: overrule(verdict.evidence, 'none_verified') };
}

/** Marks the days of hits that were written, in the same transaction. */
export async function markDays(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  moments: ReadonlyArray<Pick<Hit, 'hit_at'>>,
): Promise<void> {
  const days = new Set(moments.map(({ hit_at: at }) => dayOf(Date.parse(at))));
  for (const chunk of inChunks([...days], daysAtOnce)) {
    await transaction
      .insertInto('unsettled_days')
      .values(chunk.map((day) => ({ workspace_id: workspaceId, day })))
      .onConflict((conflict) => conflict.columns(['workspace_id', 'day']).doNothing())
      .execute();
  }
}

/**
 * Applies the rules over several hits to each marked day and counts its hits, one transaction a day. The result depends on
 * the hits of the day alone, so neither their order nor an interruption changes it. Returns the sites
 * and days without accusations, as `siteDay` names them.
 */
export async function settleDays(store: Store, workspaceId: string): Promise<ReadonlySet<string>> {
  const doubtful = new Set<string>();
  const marked = await store.writer
    .selectFrom('unsettled_days')
    .select('day')
    .where('workspace_id', '=', workspaceId)
    .orderBy('day')
    .execute();
  for (const { day } of marked) {
    await writeWorkspace(store, workspaceId, async (transaction) => {
      await transaction
        .deleteFrom('unsettled_days')
        .where('workspace_id', '=', workspaceId)
        .where('day', '=', day)
        .execute();
      const { changed, doubtfulSites } = await settleDay(transaction, workspaceId, day);
      for (const site of doubtfulSites) doubtful.add(siteDay(day, site));
      const hasCounts = await deriveHitCounts(transaction, workspaceId, [utcDay(day * dayMs)]);
      return { hasChanged: hasCounts || changed > 0n };
    });
  }
  return doubtful;
}

export function siteDay(day: number, site: string | null): string {
  return `${day} ${site ?? ''}`;
}

/** What must be known of the hits of one site on one day to settle them. */
interface SiteDay {
  readonly site: string;
  /** Claims that their address proves. A signature proves nothing about addresses. */
  readonly proofs: number;
  readonly claims: number;
  readonly operators: number;
  /** Hits called spoofed, and those of which the verdict is withheld. */
  readonly accused: number;
  readonly excused: number;
  /** Claims in doubt because their address claims many operators. */
  readonly doubted: number;
}

/** Updates the day's hits that a condition holds for. */
type Update = (change: Sql, condition: Sql) => Promise<void>;

async function settleDay(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  day: number,
): Promise<{ readonly changed: bigint; readonly doubtfulSites: ReadonlySet<string> }> {
  const [from, to] = [hourPrefix(day * dayMs), hourPrefix((day + 1) * dayMs)];
  const ofDay = sql`workspace_id = ${workspaceId} and address_group >= ${from} and address_group < ${to}`;
  const sites = await selectSites(transaction, ofDay);
  const doubtfulSites = sites.some(mayBeDoubtful)
    ? await selectCrowds(transaction, ofDay, sites.filter(mayBeDoubtful))
    : new Set<string>();
  let changed = 0n;
  const update: Update = async (change, condition) => {
    const statement = sql`update hits set ${change} where ${ofDay} and ${condition}`;
    changed += (await statement.execute(transaction)).numAffectedRows ?? 0n;
  };
  await settleAddresses(transaction, ofDay, { sites, update });
  await settleSites(sites, doubtfulSites, update);
  return { changed, doubtfulSites };
}

/** Doubts the claims of addresses that claim many operators within an hour, and no longer those that don't. */
async function settleAddresses(
  transaction: Transaction<DataTables>,
  ofDay: Sql,
  { sites, update }: { sites: readonly SiteDay[]; update: Update },
): Promise<void> {
  const operators = sql`count(distinct bot_company)`;
  if (sites.some(({ doubted }) => doubted > 0)) {
    const few = sql`${operators} < ${sql.lit(operatorsMin)} and ${sumIf(isOf('many_operators'))} > 0`;
    for await (const groups of selectGroups(transaction, ofDay, few)) {
      await update(
        sql`evidence = ${ownInSql('many_operators')}`,
        sql`${isOf('many_operators')} and address_group in (${groups})`,
      );
    }
  }
  const many = sql`${operators} >= ${sql.lit(operatorsMin)}`;
  for await (const groups of selectGroups(transaction, ofDay, many)) {
    await update(
      sql`evidence = ${overruleInSql('many_operators')}`,
      sql`address_group in (${groups}) and verification = 'unverified'
        and not ${isOf('many_operators')} and not ${isOf('none_verified')}`,
    );
  }
}

/**
 * Withholds the accusations of sites on a day on which none of their claims is verified, else restores
 * them. Takes many sites at once, because each statement reads the whole day and clients can make up hosts.
 */
async function settleSites(
  sites: readonly SiteDay[],
  doubtfulSites: ReadonlySet<string>,
  update: Update,
): Promise<void> {
  const accused = sites.filter((each) => doubtfulSites.has(each.site) && each.accused > 0);
  for (const chunk of inChunks(accused, sitesAtOnce)) {
    await update(
      sql`verification = 'unverified', evidence = ${overruleInSql('none_verified')}`,
      sql`${isOneOf(chunk)} and ${isAccusation}`,
    );
  }
  const excused = sites.filter((each) => !doubtfulSites.has(each.site) && each.excused > 0);
  for (const chunk of inChunks(excused, sitesAtOnce)) {
    await update(
      sql`verification = 'spoofed', evidence = ${ownInSql('none_verified')}`,
      sql`${isOneOf(chunk)} and ${isOf('none_verified')}`,
    );
  }
}

function isOneOf(sites: readonly SiteDay[]): Sql {
  return sql`coalesce(host, '') in (${sql.join(sites.map(({ site }) => site))})`;
}

/**
 * Selects the groups of an address and an hour for which a condition holds, in slices. They are values,
 * not a subquery, because PostgreSQL without statistics joins in quadratic time.
 */
async function* selectGroups(
  transaction: Transaction<DataTables>,
  ofDay: Sql,
  condition: Sql,
): AsyncGenerator<Sql> {
  for (let last: string | undefined = ''; last !== undefined;) {
    const { rows }: { rows: Array<{ address_group: string }> } = await sql<{
      address_group: string;
    }>`
      select address_group from hits where ${ofDay} and address_group > ${last}
      group by address_group having ${condition}
      order by address_group limit ${sql.lit(groupsAtOnce)}`.execute(transaction);
    const groups = rows.map(({ address_group: group }) => group);
    if (groups.length > 0) yield sql.join(padded(groups));
    last = groups[groupsAtOnce - 1];
  }
}

/** If no claim of many is verified, the log most likely has the addresses of an unknown proxy. */
function mayBeDoubtful({ proofs, claims, operators }: SiteDay): boolean {
  return proofs === 0 && claims >= claimsMin && operators >= operatorsMin;
}

async function selectSites(
  transaction: Transaction<DataTables>,
  ofDay: Sql,
): Promise<readonly SiteDay[]> {
  const isProof = sql`verification = 'verified' and (${isOf('in_list')} or ${isOf('host_name')})`;
  const { rows } = await sql<SiteDay>`
    select coalesce(host, '') as site,
      ${sumIf(isProof)} as proofs, ${sumIf(sql`1 = 1`)} as claims,
      cast(count(distinct bot_company) as integer) as operators,
      ${sumIf(isAccusation)} as accused, ${sumIf(isOf('none_verified'))} as excused,
      ${sumIf(isOf('many_operators'))} as doubted
    from hits where ${ofDay} group by coalesce(host, '')`.execute(transaction);
  return rows;
}

/**
 * Which of the sites have enough claims of enough clients that are not scanners. An address with many
 * operators in many hours of the day is a client: a load balancer, for example. Distinct values are
 * counted by ranks, because PostgreSQL without statistics joins in quadratic time.
 */
async function selectCrowds(
  transaction: Transaction<DataTables>,
  ofDay: Sql,
  sites: readonly SiteDay[],
): Promise<ReadonlySet<string>> {
  const many = sql.lit(operatorsMin);
  const isShared = sql`operators >= ${many} and hours >= ${sql.lit(sharedHoursMin)}`;
  const { rows } = await sql<{ site: string }>`
    with claims as (
      select coalesce(host, '') as site, bot_company, address_group, count(*) as hits,
        substr(address_group, ${sql.lit(clientStart)}) as client
      from hits where ${ofDay} group by address_group, bot_company, coalesce(host, '')
    ), ranks as (
      select site, bot_company, client, hits,
        dense_rank() over (partition by client order by bot_company) as operator,
        dense_rank() over (partition by client order by address_group) as hour,
        dense_rank() over (partition by address_group order by bot_company) as operator_of_hour
      from claims
    ), days as (
      select site, bot_company, client, hits,
        max(operator) over (partition by client) as operators,
        max(hour) over (partition by client) as hours,
        max(operator_of_hour) over (partition by client) as operators_within_hour
      from ranks
    )
    select site from days
    where operators_within_hour < ${many} or (${isShared})
    group by site
    having sum(hits) >= ${sql.lit(claimsMin)} and count(distinct bot_company) >= ${many}
      and (count(distinct client) >= ${sql.lit(clientsMin)} or ${sumIf(isShared)} > 0)`.execute(
    transaction,
  );
  const candidates = new Set(sites.map(({ site }) => site));
  return new Set(rows.map(({ site }) => site)).intersection(candidates);
}

type Sql = ReturnType<typeof sql>;

const isAccusation = sql`verification = 'spoofed' and not ${isOf('never_sent')}`;

function isOf(reason: Reason): Sql {
  return sql`evidence like ${likeReason(reason)}`;
}

function sumIf(condition: Sql): Sql {
  return sql`cast(sum(case when ${condition} then 1 else 0 end) as integer)`;
}
