import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { reasons } from '../verify/verdict.ts';
import type { VerdictChange } from './change-count.ts';
import type { Hit, StoredVerdict } from './hit.ts';
import { clientStart, hourPrefix } from './identity.ts';
import { hasReason, isOf } from './reasons.ts';

/** An address that claims this many operators within an hour is a scanner, or is shared. */
const operatorsMin = 3;
/** Fewer claims on a site's day do not show whether its log has the addresses of clients. */
const claimsMin = 20;
const clientsMin = 3;
/** A scanner finishes within minutes: an address with many operators over this many hours is shared. */
const sharedHoursMin = 3;
/** Each statement reads the whole day, and clients can make up hosts. */
const namesAtOnce = 4096;

type Sql = ReturnType<typeof sql>;

/** A rule by which hits are overruled because of others of their day. */
interface Rule {
  /** Hits of the same name are overruled together. */
  readonly name: Sql;
  /** Selects the overruled names from `first` on, in order: one more than `namesAtOnce` at most. */
  readonly select: (
    transaction: Transaction<DataTables>,
    ofDay: Sql,
    first: string,
  ) => Promise<readonly { readonly name: string }[]>;
  readonly overrule: Rejudging;
  /** Undoes it. */
  readonly release: Rejudging;
}

interface Rejudging {
  readonly where: Sql;
  readonly set: Sql;
  readonly change?: Pick<VerdictChange, 'from' | 'to'>;
}

const siteName = sql`coalesce(host, '')`;
const isDoubted = sql`overruled_by = 'many_operators'`;
const isWithheld = sql`overruled_by = 'none_verified'`;
const isMany = sql`count(distinct bot_company) >= ${sql.lit(operatorsMin)}`;
const isProof = sql`verification = 'verified' and ${isOf('in_list', 'host_name')}`;

const rules: readonly Rule[] = [
  {
    name: sql`address_group`,
    select: selectScanners,
    overrule: {
      where: sql`verification = 'unverified' and overruled_by is null`,
      set: isDoubted,
    },
    release: { where: isDoubted, set: sql`overruled_by = null` },
  },
  {
    name: siteName,
    select: selectUnprovenSites,
    overrule: {
      where: sql`verification = 'spoofed' and not ${isOf('never_sent')}`,
      set: sql`verification = 'unverified', ${isWithheld}`,
      change: { from: 'spoofed', to: 'unverified' },
    },
    release: {
      where: isWithheld,
      set: sql`verification = 'spoofed', overruled_by = null`,
      change: { from: 'unverified', to: 'spoofed' },
    },
  },
];

/** An accusation as it is first written: in doubt, until its whole day has been settled. */
export function withhold(verdict: StoredVerdict): StoredVerdict & Pick<Hit, 'overruled_by'> {
  const { verification, evidence } = verdict;
  const isDisproved = verification === 'spoofed' && !hasReason(evidence, ['never_sent']);
  if (!isDisproved) return { ...verdict, overruled_by: null };
  return { verification: 'unverified', evidence, overruled_by: 'none_verified' };
}

/**
 * Applies the rules over several hits to a day. The result depends on the hits of the day alone. Calls
 * `onChange` with the verdicts that change, which costs another read of the day. Returns whether anything
 * changed.
 */
export async function overruleHits(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { day, onChange }: { day: number; onChange?: ((change: VerdictChange) => void) | undefined },
): Promise<boolean> {
  const [from, to] = [hourPrefix(day * dayMs), hourPrefix((day + 1) * dayMs)];
  const ofDay = sql`workspace_id = ${workspaceId} and address_group >= ${from} and address_group < ${to}`;
  let hasChanged = false;
  for (const { name, select, overrule, release } of rules) {
    for (let first: string | undefined = ''; first !== undefined;) {
      // Send the names back as values: PostgreSQL without statistics joins a subquery in quadratic time.
      const rows = await select(transaction, ofDay, first);
      const next: string | undefined = rows[namesAtOnce]?.name;
      const end = next === undefined ? sql`` : sql` and ${name} < ${next}`;
      const within = sql`${ofDay} and ${name} >= ${first}${end}`;
      const names = sql.join(pad(rows.slice(0, namesAtOnce).map((row) => row.name)));
      if (rows.length === 0) await rejudge(release, within);
      else {
        await rejudge(release, sql`${within} and ${name} not in (${names})`);
        await rejudge(overrule, sql`${within} and ${name} in (${names})`);
      }
      first = next;
    }
  }
  return hasChanged;

  async function rejudge({ where, set, change }: Rejudging, ofNames: Sql): Promise<void> {
    const condition = sql`${ofNames} and ${where}`;
    if (change !== undefined && onChange !== undefined) {
      const counts = await countByReason(transaction, condition);
      for (const { bot, reason, hits } of counts) {
        const isWithheldNow = change.to === 'unverified';
        onChange({ bot, ...change, reason: isWithheldNow ? 'none_verified' : reason, hits });
      }
    }
    const { numAffectedRows = 0n } = await sql`update hits set ${set} where ${condition}`.execute(
      transaction,
    );
    hasChanged ||= numAffectedRows > 0n;
  }
}

async function countByReason(transaction: Transaction<DataTables>, condition: Sql) {
  const cases = Object.keys(reasons).map((name) => sql`when ${isOf(name)} then ${sql.lit(name)}`);
  const { rows } = await sql<Pick<VerdictChange, 'bot' | 'reason' | 'hits'>>`
    select bot_name as bot, case ${sql.join(cases, sql` `)} end as reason,
      cast(count(*) as integer) as hits
    from hits where ${condition} group by 1, 2`.execute(transaction);
  return rows;
}

/** Selects addresses, each within an hour, that claim many operators. */
async function selectScanners(transaction: Transaction<DataTables>, ofDay: Sql, first: string) {
  const { rows } = await sql<{ name: string }>`
    select address_group as name from hits where ${ofDay} and address_group >= ${first}
    group by address_group having ${isMany}
    order by address_group limit ${sql.lit(namesAtOnce + 1)}`.execute(transaction);
  return rows;
}

/**
 * Selects the sites where no address proves any claim of a crowd: the log most likely has the addresses of
 * an unknown proxy.
 */
async function selectUnprovenSites(
  transaction: Transaction<DataTables>,
  ofDay: Sql,
  first: string,
) {
  // A site without a proof is rare, and this statement is much quicker than the next one.
  const { rows } = await sql`
    select 1 from hits where ${ofDay} group by ${siteName}
    having ${sumIf(isProof)} = 0 and count(*) >= ${sql.lit(claimsMin)} and ${isMany}
    limit 1`.execute(transaction);
  return rows.length === 0 ? [] : selectUnprovenCrowds(transaction, ofDay, first);
}

/**
 * Selects the sites with many claims of enough clients that are not scanners, and no proof. A signature
 * proves nothing about addresses. An address with many operators in many hours of the day is a client: a
 * load balancer, for example. Distinct values are counted by ranks, because PostgreSQL without statistics
 * joins in quadratic time.
 */
async function selectUnprovenCrowds(
  transaction: Transaction<DataTables>,
  ofDay: Sql,
  first: string,
) {
  const many = sql.lit(operatorsMin);
  const isShared = sql`operators >= ${many} and hours >= ${sql.lit(sharedHoursMin)}`;
  const { rows } = await sql<{ name: string }>`
    with claims as (
      select ${siteName} as site, bot_company, address_group, count(*) as hits,
        ${sumIf(isProof)} as proofs, substr(address_group, ${sql.lit(clientStart)}) as client
      from hits where ${ofDay} group by address_group, bot_company, ${siteName}
    ), ranks as (
      select site, bot_company, client, hits,
        sum(proofs) over (partition by site) as proofs_of_site,
        dense_rank() over (partition by client order by bot_company) as operator,
        dense_rank() over (partition by client order by address_group) as hour,
        dense_rank() over (partition by address_group order by bot_company) as operator_of_hour
      from claims
    ), days as (
      select site, bot_company, client, hits, proofs_of_site,
        max(operator) over (partition by client) as operators,
        max(hour) over (partition by client) as hours,
        max(operator_of_hour) over (partition by client) as operators_within_hour
      from ranks
    )
    select site as name from days
    where site >= ${first} and proofs_of_site = 0
      and (operators_within_hour < ${many} or (${isShared}))
    group by site
    having sum(hits) >= ${sql.lit(claimsMin)} and count(distinct bot_company) >= ${many}
      and (count(distinct client) >= ${sql.lit(clientsMin)} or ${sumIf(isShared)} > 0)
    order by site limit ${sql.lit(namesAtOnce + 1)}`.execute(transaction);
  return rows;
}

function sumIf(condition: Sql): Sql {
  return sql`cast(sum(case when ${condition} then 1 else 0 end) as integer)`;
}
