import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { inChunks, pad } from '../../storage/chunks.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { Hit, StoredVerdict } from './hit.ts';
import type { Reason } from '../verify/verdict.ts';
import { clientStart, dayOf, hourPrefix } from './identity.ts';
import {
  isAccusation,
  isDoubted,
  isExcused,
  isOf,
  rejudgings,
  siteName,
  sumIf,
} from './rejudgings.ts';
import type { Rejudging, Sql } from './rejudgings.ts';
import { hasReason } from './reasons.ts';
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
  const isDisproved = verification === 'spoofed' && !hasReason(evidence, ['never_sent']);
  if (!isDisproved) return { ...verdict, overruled_by: null };
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
 * Applies the rules over several hits to each marked day and counts its hits, one transaction a day.
 * The result depends on the hits of the day alone, so neither their order nor an interruption changes
 * it. `rejudged` is empty without `countsRejudged`, because counting costs another read of the day.
 */
export async function settleDays(
  store: Store,
  workspaceId: string,
  { countsRejudged = false }: { countsRejudged?: boolean } = {},
): Promise<SettledDays> {
  const doubtful = new Set<string>();
  const rejudged: RejudgedHits[] = [];
  const marked = await store.writer
    .selectFrom('unsettled_days')
    .select('day')
    .where('workspace_id', '=', workspaceId)
    .orderBy('day')
    .execute();
  for (const { day } of marked) {
    const settled = await writeWorkspace(store, workspaceId, async (transaction) => {
      await transaction
        .deleteFrom('unsettled_days')
        .where('workspace_id', '=', workspaceId)
        .where('day', '=', day)
        .execute();
      const { changed, ...of } = await settleDay(transaction, workspaceId, { day, countsRejudged });
      const hasCounts = await deriveHitCounts(transaction, workspaceId, [utcDay(day * dayMs)]);
      return { hasChanged: hasCounts || changed > 0n, ...of };
    });
    for (const site of settled.doubtfulSites) doubtful.add(siteDay(day, site));
    for (const { site, ...hits } of settled.accusations) {
      rejudged.push({ ...hits, place: siteDay(day, site) });
    }
  }
  return { doubtful, rejudged };
}

export interface SettledDays {
  /** Sites and days without accusations, as `siteDay` names them. */
  readonly doubtful: ReadonlySet<string>;
  /** Accusations that were withheld on these sites and days, and restored on all others. */
  readonly rejudged: readonly RejudgedHits[];
}

export interface RejudgedHits {
  readonly bot: string;
  /** What the accusation rests on. */
  readonly reason: Reason;
  readonly hits: number;
  readonly place: string;
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
  { day, countsRejudged }: { day: number; countsRejudged: boolean },
): Promise<{
  readonly changed: bigint;
  readonly doubtfulSites: ReadonlySet<string>;
  readonly accusations: readonly Accusations[];
}> {
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
  const withheld = sites.filter((each) => isDoubtful(each) && each.accused > 0);
  const restored = sites.filter((each) => !isDoubtful(each) && each.excused > 0);
  const isCounted = countsRejudged && withheld.length + restored.length > 0;
  const accusations = isCounted ? await selectAccusations(transaction, ofDay) : [];
  await apply(rejudgings.withhold, withheld);
  await apply(rejudgings.restore, restored);
  return {
    changed,
    doubtfulSites,
    accusations: accusations.filter(
      ({ site: name, excused }) => doubtfulSites.has(name) === (excused === 0),
    ),
  };

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
    select ${siteName} as name,
      case when ${sumIf(isProof)} = 0 and count(*) >= ${sql.lit(claimsMin)}
        and ${isMany} then 1 else 0 end as unproven,
      ${sumIf(isAccusation)} as accused, ${sumIf(isExcused)} as excused
    from hits where ${ofDay} group by ${siteName}`.execute(transaction);
  return rows;
}

interface Accusations extends Omit<RejudgedHits, 'place'> {
  readonly site: string;
  /** 1 if they are withheld, else 0. */
  readonly excused: 0 | 1;
}

async function selectAccusations(
  transaction: Transaction<DataTables>,
  ofDay: Sql,
): Promise<readonly Accusations[]> {
  const { rows } = await sql<Accusations>`
    select bot_name as bot, site, reason, excused, cast(count(*) as integer) as hits from (
      select bot_name, ${siteName} as site, case when ${isExcused} then 1 else 0 end as excused,
        case when ${isOf('wrong_host_name')} then 'wrong_host_name' else 'not_in_list' end as reason
      from hits where ${ofDay} and (${isExcused} or ${isAccusation})
    ) as accusations group by bot_name, site, reason, excused`.execute(transaction);
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
      select ${siteName} as site, bot_company, address_group, count(*) as hits,
        substr(address_group, ${sql.lit(clientStart)}) as client
      from hits where ${ofDay} group by address_group, bot_company, ${siteName}
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

const isMany = sql`count(distinct bot_company) >= ${sql.lit(operatorsMin)}`;
