import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Hit } from './hit.ts';
import { clientStart, dayOf, hourPrefix } from './identity.ts';
import { hasReason, likeReason, overruleInSql, ownInSql } from './overrule.ts';

/** Fewer claims say nothing about whether the log has the addresses of clients. */
const claimsMin = 20;
const operatorsMin = 3;
const clientsMin = 3;
/** An address of several operators in so many hours of a day is shared; a scanner is done in minutes. */
const sharedHoursMin = 3;
const daysMax = 10_000;
const dayMs = 86_400_000;

/** Withholds accusations on days on which nobody could be verified by an address. */
export interface NoneVerified {
  /** Settles the days of these hits, which are stored by now. Returns how many verdicts changed. */
  settle(
    transaction: Transaction<DataTables>,
    workspaceId: string,
    hits: readonly Hit[],
  ): Promise<number>;
}

/** Remembers the sites and days of an ingest on which somebody was verified: they stay so. */
export function createNoneVerified(): NoneVerified {
  const proven = new Set<string>();
  return { settle };

  async function settle(
    transaction: Transaction<DataTables>,
    workspaceId: string,
    hits: readonly Hit[],
  ): Promise<number> {
    if (proven.size > daysMax) proven.clear();
    const open = new Set<number>();
    for (const { address_group: group, host, hit_at: at } of hits) {
      if (group === null) continue;
      const day = dayOf(Date.parse(at));
      if (!proven.has(`${day} ${host ?? ''}`)) open.add(day);
    }
    let changed = 0;
    for (const day of open) {
      const settled = await settleDay(transaction, workspaceId, day);
      for (const site of settled.proven) proven.add(`${day} ${site}`);
      changed += settled.changed;
    }
    return changed;
  }
}

/**
 * Where of a site's day many claims, of several operators and from several addresses that are no
 * scanners, not one is verified by its address, the log most likely has the addresses of a proxy that
 * no list knows: nobody of that day is accused. It depends on the day's hits alone, not on their order.
 */
export async function settleDay(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  day: number,
): Promise<SettledDay> {
  const sites = await selectSites(transaction, workspaceId, groupsOf(day));
  const doubtful = sites.filter(isDoubtful);
  const wronglyAccused = doubtful.filter(({ accused }) => accused > 0);
  const wronglyExcused = sites.filter((site) => site.excused > 0 && !isDoubtful(site));
  const update = transaction
    .updateTable('hits')
    .where('workspace_id', '=', workspaceId)
    .where('address_group', '>=', groupsOf(day).from)
    .where('address_group', '<', groupsOf(day).to);
  let changed = 0;
  for (const { site } of wronglyAccused) {
    const result = await update
      .set({ verification: 'unverified', evidence: overruleInSql('none_verified') })
      .where(({ fn, val }) => fn.coalesce('host', val('')), '=', site)
      .where('verification', '=', 'spoofed')
      .where((where) => where.not(hasReason(where, 'never_sent')))
      .executeTakeFirst();
    changed += Number(result.numUpdatedRows);
  }
  for (const { site } of wronglyExcused) {
    const result = await update
      .set({ verification: 'spoofed', evidence: ownInSql('none_verified') })
      .where(({ fn, val }) => fn.coalesce('host', val('')), '=', site)
      .where((where) => hasReason(where, 'none_verified'))
      .executeTakeFirst();
    changed += Number(result.numUpdatedRows);
  }
  const proven = sites.filter(({ proofs }) => proofs > 0).map(({ site }) => site);
  return { changed, proven, doubtfulSites: new Set(doubtful.map(({ site }) => site)) };
}

interface SettledDay {
  /** Verdicts that changed. */
  readonly changed: number;
  /** Sites on which somebody is verified by an address. */
  readonly proven: readonly string[];
  /** Sites on which nobody is accused. */
  readonly doubtfulSites: ReadonlySet<string>;
}

/** The groups of a day, in the order of the index. */
export function groupsOf(day: number): { readonly from: string; readonly to: string } {
  return { from: hourPrefix(day * dayMs), to: hourPrefix((day + 1) * dayMs) };
}

/** The claims of one site on one day. Scanners' count only among the accused and the excused. */
interface SiteDay {
  readonly site: string;
  /** Claims that are verified by their address; a signature says nothing about addresses. */
  readonly proofs: number;
  readonly claims: number;
  readonly operators: number;
  readonly clients: number;
  /** Whether an address is shared by many: 1 or 0. */
  readonly shared: number;
  readonly accused: number;
  readonly excused: number;
}

function isDoubtful({ proofs, claims, operators, clients, shared }: SiteDay): boolean {
  const isCrowd = clients >= clientsMin || shared > 0;
  return proofs === 0 && claims >= claimsMin && operators >= operatorsMin && isCrowd;
}

async function selectSites(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { from, to }: { from: string; to: string },
): Promise<readonly SiteDay[]> {
  const isProof = sql`verification = 'verified' and (evidence like ${likeReason('in_list')} or evidence like ${likeReason('host_name')})`;
  const isAccused = sql`verification = 'spoofed' and evidence not like ${likeReason('never_sent')}`;
  const { rows } = await sql<SiteDay>`
    with claims as (
      select coalesce(host, '') as site, bot_company, address_group,
        substr(address_group, ${sql.lit(clientStart)}) as client,
        case when ${isProof} then 1 else 0 end as proof,
        case when ${isAccused} then 1 else 0 end as accused,
        case when evidence like ${likeReason('none_verified')} then 1 else 0 end as excused
      from hits
      where workspace_id = ${workspaceId} and address_group >= ${from} and address_group < ${to}
    ), hours as (
      select client, address_group, count(distinct bot_company) as operators
      from claims group by client, address_group
    ), busy as (
      select client, count(*) as hours, max(operators) as operators
      from hours group by client
    ), spread as (
      select client, count(distinct bot_company) as operators from claims group by client
    ), judged as (
      select claims.*,
        case when spread.operators >= ${sql.lit(operatorsMin)} and busy.hours >= ${sql.lit(sharedHoursMin)} then 2
          when busy.operators >= ${sql.lit(operatorsMin)} then 0 else 1 end as weight
      from claims
      join busy on busy.client = claims.client
      join spread on spread.client = claims.client
    )
    select site,
      cast(sum(proof) as integer) as proofs,
      cast(sum(case when weight > 0 then 1 else 0 end) as integer) as claims,
      cast(count(distinct case when weight > 0 then bot_company end) as integer) as operators,
      cast(count(distinct case when weight > 0 then client end) as integer) as clients,
      cast(max(case when weight = 2 then 1 else 0 end) as integer) as shared,
      cast(sum(accused) as integer) as accused,
      cast(sum(excused) as integer) as excused
    from judged group by site`.execute(transaction);
  return rows;
}
