import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Hit } from './hit.ts';
import { clientStart, dayOf, hourPrefix } from './identity.ts';
import type { ManyOperators } from './many-operators.ts';
import { hasReason, likeReason, overrule, overruleInSql, ownInSql } from './overrule.ts';

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
  /** Forgets what other processes may have changed, by the workspace's revision at the beginning. */
  begin(revision: string): void;
  /** The hits as they are to be written: accusations of days that are in doubt are withheld. */
  withhold(hits: readonly Hit[]): readonly Hit[];
  /** Settles the days of hits that are stored by now. Returns how many verdicts changed. */
  settle(
    transaction: Transaction<DataTables>,
    workspaceId: string,
    hits: readonly Hit[],
    groups: Pick<ManyOperators, 'isMany' | 'hasTurned'>,
  ): Promise<number>;
  /** Takes the workspace's revision after the write. */
  end(revision: string): void;
}

/** What an ingest knows of a site's day. What was seen can only grow. */
interface KnownDay {
  state: 'proven' | 'doubtful' | 'open';
  /** Undefined if there were hits before this ingest. */
  readonly seen:
    | {
        readonly operators: Set<string>;
        /** Three at most: more make no difference. */
        readonly clients: Set<string>;
        readonly hours: Set<string>;
      }
    | undefined;
}

/**
 * Remembers the sites and days of an ingest, so that a day is read again only if these hits can change
 * what was found: on a day with somebody verified nothing does, on one in doubt only a proof or a
 * scanner, and on any other only claims of enough operators, from enough addresses.
 */
export function createNoneVerified(): NoneVerified {
  const days = new Map<string, KnownDay>();
  let lastRevision: string | undefined;
  return { begin, withhold, settle, end };

  function begin(revision: string): void {
    if (revision !== lastRevision || days.size > daysMax) days.clear();
  }

  function end(revision: string): void {
    lastRevision = revision;
  }

  function withhold(hits: readonly Hit[]): readonly Hit[] {
    return hits.map((hit) => {
      const isAccused = hit.verification === 'spoofed' && hit.address_group !== null;
      if (!isAccused || hit.evidence === null || isNeverSent(hit.evidence)) return hit;
      if (days.get(dayKey(hit))?.state !== 'doubtful') return hit;
      const evidence = overrule(hit.evidence, 'none_verified');
      return { ...hit, verification: 'unverified', evidence };
    });
  }

  async function settle(
    transaction: Transaction<DataTables>,
    workspaceId: string,
    hits: readonly Hit[],
    groups: Pick<ManyOperators, 'isMany' | 'hasTurned'>,
  ): Promise<number> {
    const unsettled = new Set<number>();
    const grouped = Map.groupBy(
      hits.filter(({ address_group: group }) => group !== null),
      dayKey,
    );
    for (const [key, own] of grouped) {
      if (mayChange(days.get(key), own, groups)) {
        unsettled.add(dayOf(Date.parse(own[0]?.hit_at ?? '')));
      }
    }
    let changed = 0;
    for (const day of unsettled) {
      const { sites, changed: more } = await settleDay(transaction, workspaceId, day);
      changed += more;
      for (const site of sites) remember(`${day} ${site.site}`, site, grouped);
    }
    return changed;
  }

  function remember(
    key: string,
    site: SiteDay,
    grouped: ReadonlyMap<string, readonly Hit[]>,
  ): void {
    const known = days.get(key);
    const own = grouped.get(key) ?? [];
    const isNew = known === undefined && own.length === site.hits;
    const seen = isNew
      ? { operators: new Set<string>(), clients: new Set<string>(), hours: new Set<string>() }
      : known?.seen;
    if (isNew && seen !== undefined) for (const hit of own) see(seen, hit);
    const state = site.proofs > 0 ? 'proven' : isDoubtful(site) ? 'doubtful' : 'open';
    days.set(key, { state, seen });
  }
}

/** Whether hits may change what is known of their day; notes what they show. */
function mayChange(
  known: KnownDay | undefined,
  hits: readonly Hit[],
  { isMany, hasTurned }: Pick<ManyOperators, 'isMany' | 'hasTurned'>,
): boolean {
  if (known === undefined) return true;
  if (known.state === 'proven') return false;
  const { seen, state } = known;
  const hoursBefore = seen?.hours.size ?? 0;
  if (seen !== undefined) for (const hit of hits) see(seen, hit);
  if (hits.some(isProof)) return true;
  // A client that turns out to be a scanner counts no more.
  if (state === 'doubtful') return hits.some(({ address_group: group }) => hasTurned(group ?? ''));
  if (seen === undefined) return true;
  const isCrowd = seen.clients.size >= clientsMin || seen.hours.size >= sharedHoursMin;
  if (seen.operators.size < operatorsMin || !isCrowd) return false;
  // Scanners alone, in hours that were there before, add no claim that counts.
  const areScanners = hits.every(({ address_group: group }) => isMany(group ?? ''));
  return !areScanners || seen.hours.size > hoursBefore;
}

function see(seen: NonNullable<KnownDay['seen']>, hit: Hit): void {
  const [hour = '', client = ''] = hit.address_group?.split('.') ?? [];
  seen.operators.add(hit.bot_company);
  seen.hours.add(hour);
  if (seen.clients.size < clientsMin) seen.clients.add(client);
}

function dayKey({ hit_at: at, host }: Hit): string {
  return `${dayOf(Date.parse(at))} ${host ?? ''}`;
}

/** Verified by its address; a signature says nothing about addresses. */
function isProof({ verification, evidence }: Hit): boolean {
  const proofs = ['{"reason":"in_list"', '{"reason":"host_name"'];
  return (
    verification === 'verified' && proofs.some((proof) => evidence?.startsWith(proof) === true)
  );
}

function isNeverSent(evidence: string): boolean {
  return evidence.startsWith('{"reason":"never_sent"');
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
  return { changed, sites, doubtfulSites: new Set(doubtful.map(({ site }) => site)) };
}

interface SettledDay {
  /** Verdicts that changed. */
  readonly changed: number;
  readonly sites: readonly SiteDay[];
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
  readonly hits: number;
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
  const proof = sql`verification = 'verified' and (evidence like ${likeReason('in_list')} or evidence like ${likeReason('host_name')})`;
  const accusation = sql`verification = 'spoofed' and evidence not like ${likeReason('never_sent')}`;
  const { rows } = await sql<SiteDay>`
    with claims as (
      select coalesce(host, '') as site, bot_company, address_group,
        substr(address_group, ${sql.lit(clientStart)}) as client,
        case when ${proof} then 1 else 0 end as proof,
        case when ${accusation} then 1 else 0 end as accused,
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
      cast(count(*) as integer) as hits,
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
