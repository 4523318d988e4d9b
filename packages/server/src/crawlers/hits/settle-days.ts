import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { inChunks } from '../../storage/chunks.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { Hit, StoredVerdict } from './hit.ts';
import { clientStart, dayOf, hourPrefix } from './identity.ts';
import { hasReason, likeReason, overrule, overruleInSql, ownInSql } from './overrule.ts';
import { dayMs } from '../../values/utc-day.ts';

/** An address that claims so many operators within an hour is a scanner, or is shared. */
const operatorsMin = 3;
/** Fewer claims on a site's day do not show whether its log has the addresses of clients. */
const claimsMin = 20;
const clientsMin = 3;
/** A scanner is done in minutes. An address with many operators in so many hours is shared. */
const sharedHoursMin = 3;
const daysAtOnce = 128;

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
 * Applies the rules over several hits to each marked day, one transaction a day. The result depends on
 * the hits of the day alone, so neither their order nor an interruption changes it. Returns the sites
 * and days on which nobody is accused, as `siteDay` names them.
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
      const sites = await selectSites(transaction, workspaceId, day);
      for (const { site } of sites.filter(isDoubtful)) doubtful.add(siteDay(day, site));
      return { hasChanged: (await settleDay(transaction, workspaceId, { day, sites })) > 0n };
    });
  }
  return doubtful;
}

export function siteDay(day: number, site: string | null): string {
  return `${day} ${site ?? ''}`;
}

/** The claims of one site on one day. Scanners count only among those whose verdict may change. */
interface SiteDay {
  readonly site: string;
  /** Claims that their address proves. A signature proves nothing about addresses. */
  readonly proofs: number;
  readonly claims: number;
  readonly operators: number;
  readonly clients: number;
  readonly shared: number;
  readonly accused: number;
  readonly excused: number;
  /** Claims of scanners that are not in doubt yet, and doubted claims of no scanner. */
  readonly undoubted: number;
  readonly overdoubted: number;
}

/** If no claim of many is verified, the log most likely has the addresses of an unknown proxy. */
function isDoubtful({ proofs, claims, operators, clients, shared }: SiteDay): boolean {
  const isCrowd = clients >= clientsMin || shared > 0;
  return proofs === 0 && claims >= claimsMin && operators >= operatorsMin && isCrowd;
}

async function settleDay(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { day, sites }: { day: number; sites: readonly SiteDay[] },
): Promise<bigint> {
  const { from, to } = groupsOf(day);
  let changed = 0n;
  const scanners = sql`address_group in (
    select address_group from hits
    where workspace_id = ${workspaceId} and address_group >= ${from} and address_group < ${to}
    group by address_group having count(distinct bot_company) >= ${sql.lit(operatorsMin)})`;
  const isFree = sql`evidence not like ${likeReason('many_operators')} and evidence not like ${likeReason('none_verified')}`;
  if (sites.some(({ overdoubted }) => overdoubted > 0)) {
    await update(
      sql`evidence = ${ownInSql('many_operators')}`,
      sql`evidence like ${likeReason('many_operators')} and not ${scanners}`,
    );
  }
  if (sites.some(({ undoubted }) => undoubted > 0)) {
    await update(
      sql`evidence = ${overruleInSql('many_operators')}`,
      sql`verification = 'unverified' and ${isFree} and ${scanners}`,
    );
  }
  for (const site of sites) {
    const isOnSite = sql`coalesce(host, '') = ${site.site}`;
    if (isDoubtful(site) && site.accused > 0) {
      await update(
        sql`verification = 'unverified', evidence = ${overruleInSql('none_verified')}`,
        sql`${isOnSite} and verification = 'spoofed' and evidence not like ${likeReason('never_sent')}`,
      );
    }
    if (!isDoubtful(site) && site.excused > 0) {
      await update(
        sql`verification = 'spoofed', evidence = ${ownInSql('none_verified')}`,
        sql`${isOnSite} and evidence like ${likeReason('none_verified')}`,
      );
    }
  }
  return changed;

  async function update(
    change: ReturnType<typeof sql>,
    condition: ReturnType<typeof sql>,
  ): Promise<void> {
    const { numAffectedRows = 0n } = await sql`update hits set ${change}
      where workspace_id = ${workspaceId} and address_group >= ${from} and address_group < ${to}
        and ${condition}`.execute(transaction);
    changed += numAffectedRows;
  }
}

async function selectSites(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  day: number,
): Promise<readonly SiteDay[]> {
  const { from, to } = groupsOf(day);
  const isOf = (reason: Parameters<typeof likeReason>[0]) =>
    sql`evidence like ${likeReason(reason)}`;
  const one = (condition: ReturnType<typeof sql>) => sql`case when ${condition} then 1 else 0 end`;
  const sum = (condition: ReturnType<typeof sql>) => sql`cast(sum(${one(condition)}) as integer)`;
  const most = sql.lit(operatorsMin);
  const isShared = sql`clients.operators >= ${most} and clients.hours >= ${sql.lit(sharedHoursMin)}`;
  const counts = sql`(clients.operators_within_hour < ${most} or ${isShared})`;
  const { rows } = await sql<SiteDay>`
    with claims as (
      select coalesce(host, '') as site, bot_company, address_group,
        substr(address_group, ${sql.lit(clientStart)}) as client,
        ${one(sql`verification = 'verified' and (${isOf('in_list')} or ${isOf('host_name')})`)} as proof,
        ${one(sql`verification = 'spoofed' and not ${isOf('never_sent')}`)} as accused,
        ${one(isOf('none_verified'))} as excused,
        ${one(isOf('many_operators'))} as doubted,
        ${one(sql`verification = 'unverified' and not ${isOf('none_verified')}`)} as doubtable
      from hits
      where workspace_id = ${workspaceId} and address_group >= ${from} and address_group < ${to}
    ), hours as (
      select address_group, client, count(distinct bot_company) as operators
      from claims group by address_group, client
    ), days as (
      select client, count(distinct bot_company) as operators from claims group by client
    ), clients as (
      select days.client, days.operators, count(*) as hours,
        max(hours.operators) as operators_within_hour
      from days join hours on hours.client = days.client
      group by days.client, days.operators
    )
    select site,
      cast(sum(proof) as integer) as proofs,
      ${sum(counts)} as claims,
      cast(count(distinct case when ${counts} then bot_company end) as integer) as operators,
      cast(count(distinct case when ${counts} then claims.client end) as integer) as clients,
      ${sum(isShared)} as shared,
      cast(sum(accused) as integer) as accused,
      cast(sum(excused) as integer) as excused,
      ${sum(sql`hours.operators >= ${most} and doubtable = 1 and doubted = 0`)} as undoubted,
      ${sum(sql`hours.operators < ${most} and doubted = 1`)} as overdoubted
    from claims
    join hours on hours.address_group = claims.address_group
    join clients on clients.client = claims.client
    group by site`.execute(transaction);
  return rows;
}

/** The groups of a day, as a range of the index. */
function groupsOf(day: number): { readonly from: string; readonly to: string } {
  return { from: hourPrefix(day * dayMs), to: hourPrefix((day + 1) * dayMs) };
}
