import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { inChunks, pad } from '../../storage/chunks.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { Hit, StoredVerdict } from './hit.ts';
import type { Reason } from '../verify/verdict.ts';
import { clientStart, dayOf, hourPrefix } from './identity.ts';
import { hasReason, likeReason } from './reasons.ts';
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
const valuesAtOnce = 4096;

/** An accusation as it is first written: in doubt, until its whole day has been settled. */
export function withhold(verdict: StoredVerdict): StoredVerdict & Pick<Hit, 'overruled_by'> {
  const { verification, evidence } = verdict;
  const isAccusation = verification === 'spoofed' && !hasReason(evidence, ['never_sent']);
  if (!isAccusation) return { ...verdict, overruled_by: null };
  return { verification: 'unverified', evidence, overruled_by: 'none_verified' };
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
  readonly name: string;
  /** 1 if no address proves any of its many claims, else 0. */
  readonly unproven: 0 | 1;
  /** Hits called spoofed, and those of which the verdict is withheld. */
  readonly accused: number;
  readonly excused: number;
}

/** An address within an hour. */
interface Group {
  readonly name: string;
  /** 1 if it claims many operators, else 0. */
  readonly many: 0 | 1;
}

async function settleDay(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  day: number,
): Promise<{ readonly changed: bigint; readonly doubtfulSites: ReadonlySet<string> }> {
  const [from, to] = [hourPrefix(day * dayMs), hourPrefix((day + 1) * dayMs)];
  const ofDay = sql`workspace_id = ${workspaceId} and address_group >= ${from} and address_group < ${to}`;
  let changed = 0n;
  const sites = await selectSites(transaction, ofDay);
  const unproven = sites.filter((each) => each.unproven === 1).map(({ name }) => name);
  // The log of an unproven crowd most likely has the addresses of an unknown proxy.
  const crowds = unproven.length === 0 ? [] : await selectCrowds(transaction, ofDay);
  const doubtfulSites = new Set(unproven).intersection(new Set(crowds));
  for await (const groups of selectGroups(transaction, ofDay)) {
    await apply(
      rejudgings.trust,
      groups.filter(({ many }) => many === 0),
    );
    await apply(
      rejudgings.doubt,
      groups.filter(({ many }) => many === 1),
    );
  }
  const isDoubtful = ({ name }: SiteDay) => doubtfulSites.has(name);
  await apply(
    rejudgings.withhold,
    sites.filter((each) => isDoubtful(each) && each.accused > 0),
  );
  await apply(
    rejudgings.restore,
    sites.filter((each) => !isDoubtful(each) && each.excused > 0),
  );
  return { changed, doubtfulSites };

  /** Takes many values at once, because each statement reads the whole day and clients can make up hosts. */
  async function apply({ of, where, set }: Rejudging, rows: ReadonlyArray<{ name: string }>) {
    for (let start = 0; start < rows.length; start += valuesAtOnce) {
      const names = pad(rows.slice(start, start + valuesAtOnce).map(({ name }) => name));
      const { numAffectedRows = 0n } = await sql`update hits set ${set}
        where ${ofDay} and ${where} and ${of} in (${sql.join(names)})`.execute(transaction);
      changed += numAffectedRows;
    }
  }
}

/**
 * Selects the groups whose claims may have to be rejudged, in slices. Their names are sent back as values,
 * because PostgreSQL without statistics joins a subquery in quadratic time.
 */
async function* selectGroups(
  transaction: Transaction<DataTables>,
  ofDay: Sql,
): AsyncGenerator<readonly Group[]> {
  for (let last: string | undefined = ''; last !== undefined;) {
    const { rows }: { rows: Group[] } = await sql<Group>`
      select address_group as name, case when ${isMany} then 1 else 0 end as many
      from hits where ${ofDay} and address_group > ${last}
      group by address_group having ${isMany} or ${sumIf(isDoubted)} > 0
      order by address_group limit ${sql.lit(valuesAtOnce)}`.execute(transaction);
    yield rows;
    last = rows[valuesAtOnce - 1]?.name;
  }
}

/** Selects the sites. Only an address proves a claim here: a signature proves nothing about addresses. */
async function selectSites(
  transaction: Transaction<DataTables>,
  ofDay: Sql,
): Promise<readonly SiteDay[]> {
  const isProof = sql`verification = 'verified' and (${isOf('in_list')} or ${isOf('host_name')})`;
  const { rows } = await sql<SiteDay>`
    select ${site} as name,
      case when ${sumIf(isProof)} = 0 and count(*) >= ${sql.lit(claimsMin)}
        and ${isMany} then 1 else 0 end as unproven,
      ${sumIf(isAccusation)} as accused, ${sumIf(isExcused)} as excused
    from hits where ${ofDay} group by ${site}`.execute(transaction);
  return rows;
}

/**
 * Selects the sites with many claims of enough clients that are not scanners. An address with many
 * operators in many hours of the day is a client: a load balancer, for example. Distinct values are
 * counted by ranks, because PostgreSQL without statistics joins in quadratic time.
 */
async function selectCrowds(
  transaction: Transaction<DataTables>,
  ofDay: Sql,
): Promise<readonly string[]> {
  const many = sql.lit(operatorsMin);
  const isShared = sql`operators >= ${many} and hours >= ${sql.lit(sharedHoursMin)}`;
  const { rows } = await sql<{ name: string }>`
    with claims as (
      select ${site} as site, bot_company, address_group, count(*) as hits,
        substr(address_group, ${sql.lit(clientStart)}) as client
      from hits where ${ofDay} group by address_group, bot_company, ${site}
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
    select site as name from days
    where operators_within_hour < ${many} or (${isShared})
    group by site
    having sum(hits) >= ${sql.lit(claimsMin)} and count(distinct bot_company) >= ${many}
      and (count(distinct client) >= ${sql.lit(clientsMin)} or ${sumIf(isShared)} > 0)`.execute(
    transaction,
  );
  return rows.map(({ name }) => name);
}

type Sql = ReturnType<typeof sql>;

const site = sql`coalesce(host, '')`;
const isMany = sql`count(distinct bot_company) >= ${sql.lit(operatorsMin)}`;
const isDoubted = sql`overruled_by = 'many_operators'`;
const isExcused = sql`overruled_by = 'none_verified'`;
const isAccusation = sql`verification = 'spoofed' and not ${isOf('never_sent')}`;

interface Rejudging {
  /** By whose names the hits are chosen. */
  readonly of: Sql;
  readonly where: Sql;
  readonly set: Sql;
}

/** How hits are overruled by others of their day, and how no longer. */
const rejudgings = {
  doubt: {
    of: sql`address_group`,
    where: sql`verification = 'unverified' and overruled_by is null`,
    set: isDoubted,
  },
  trust: {
    of: sql`address_group`,
    where: isDoubted,
    set: sql`overruled_by = null`,
  },
  withhold: {
    of: site,
    where: isAccusation,
    set: sql`verification = 'unverified', ${isExcused}`,
  },
  restore: {
    of: site,
    where: isExcused,
    set: sql`verification = 'spoofed', overruled_by = null`,
  },
} as const satisfies Readonly<Record<string, Rejudging>>;

function isOf(reason: Reason): Sql {
  return sql`evidence like ${likeReason(reason)}`;
}

function sumIf(condition: Sql): Sql {
  return sql`cast(sum(case when ${condition} then 1 else 0 end) as integer)`;
}
