import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { judgeTogether, operatorsMin } from '../verify/many-operators.ts';
import type { Verdict } from '../verify/verdict.ts';
import type { Proxies } from './find-proxies.ts';
import { ownVerdict } from './hit.ts';
import type { Hit } from './hit.ts';
import { periodOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { isProxied } from './proxied.ts';
import { timeSlices } from './time-slices.ts';
import { slices } from './write-hits.ts';

/** How many periods on each side a claim's own window and its neighbours' windows reach. */
const reach = 2;

type GroupedHit = Pick<
  Hit,
  'id' | 'host' | 'bot_name' | 'bot_company' | 'category' | 'hit_at' | 'verification' | 'evidence'
>;

/** A hit whose verdict has become another; the row is as it was before. */
export interface ChangedVerdict {
  readonly row: Pick<Hit, 'id' | 'bot_name' | 'bot_company' | 'category' | 'verification'>;
  readonly verification: Hit['verification'];
}

/**
 * Applies the rule of many operators to the hits given and to all that stand near them in time, of
 * the same address, whenever those were written. Returns the verdicts that changed.
 */
export async function judgeNeighbours(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  context: {
    hits: ReadonlyArray<Pick<Hit, 'address' | 'address_group' | 'hit_at'>>;
    identity: Identity;
    proxies: Proxies;
    /** Judges addresses of few operators too: what is known of their being proxies' has changed. */
    isTipped?: boolean;
  },
): Promise<ChangedVerdict[]> {
  const { hits, identity, isTipped = false } = context;
  const changed: ChangedVerdict[][] = [];
  // Some addresses at a time: a batch may have thousands, with tens of thousands of groups.
  for (const part of slices([...wantedPeriods(hits)])) {
    const groups = part.map(([address, periods]) => ({
      address,
      groups: [...periods].map((period) => identity.addressGroup(address, period)),
    }));
    const all = groups.flatMap((one) => one.groups);
    const operators = await selectOperators(transaction, workspaceId, all);
    for (const one of groups) {
      const claimed = new Set(one.groups.flatMap((group) => operators.get(group) ?? []));
      if (claimed.size < operatorsMin && !isTipped) continue;
      changed.push(await judgeGroups(transaction, workspaceId, { ...context, ...one }));
    }
  }
  return changed.flat();
}

/**
 * Judges every hit again whose address is in one of these classes: whether it is a proxy's is now
 * answered otherwise. Tells of the verdicts that changed, some at a time: they may be most of all hits.
 */
export async function judgeTipped(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    classes,
    identity,
    proxies,
    onChanged,
  }: {
    classes: ReadonlySet<number>;
    identity: Identity;
    proxies: Proxies;
    onChanged: (changed: readonly ChangedVerdict[]) => void;
  },
): Promise<void> {
  if (classes.size === 0) return;
  for await (const { from, to } of timeSlices(transaction, workspaceId, { hitsMax: 5000 })) {
    const rows = await transaction
      .selectFrom('hits')
      .select(['address', 'address_group', 'hit_at'])
      .where('workspace_id', '=', workspaceId)
      .where('address', 'is not', null)
      .where('hit_at', '>=', from)
      .$if(to !== undefined, (query) => query.where('hit_at', '<', to ?? ''))
      .execute();
    const hits = rows.filter(
      ({ address }) => address !== null && classes.has(identity.classOf('address', address)),
    );
    const context = { hits, identity, proxies, isTipped: true };
    onChanged(await judgeNeighbours(transaction, workspaceId, context));
  }
}

/** The hits that stand near these in time, of the same address, and have it no more; by the address. */
export async function selectPrunedNeighbours(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    hits,
    identity,
  }: {
    hits: ReadonlyArray<Pick<Hit, 'address' | 'address_group' | 'hit_at'>>;
    identity: Identity;
  },
): Promise<ReadonlyMap<string, Hit[]>> {
  const addresses = new Map(
    [...wantedPeriods(hits)].flatMap(([address, periods]) =>
      [...periods].map((period) => [identity.addressGroup(address, period), address]),
    ),
  );
  const neighbours = new Map<string, Hit[]>();
  for (const slice of slices([...addresses.keys()])) {
    const rows = await db
      .selectFrom('hits')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('address_group', 'in', slice)
      .where('address', 'is', null)
      .execute();
    for (const row of rows) {
      const address = addresses.get(row.address_group ?? '');
      if (address === undefined) continue;
      const known = neighbours.get(address);
      if (known === undefined) neighbours.set(address, [row]);
      else known.push(row);
    }
  }
  return neighbours;
}

function wantedPeriods(
  hits: ReadonlyArray<Pick<Hit, 'address' | 'address_group' | 'hit_at'>>,
): Map<string, Set<number>> {
  const wanted = new Map<string, Set<number>>();
  for (const { address, address_group, hit_at } of hits) {
    if (address === null || address_group === null) continue;
    const periods = wanted.get(address) ?? new Set();
    const middle = periodOf(Date.parse(hit_at));
    for (let period = middle - reach; period <= middle + reach; period++) periods.add(period);
    wanted.set(address, periods);
  }
  return wanted;
}

async function selectOperators(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  groups: readonly string[],
): Promise<Map<string, string[]>> {
  const operators = new Map<string, string[]>();
  for (const slice of slices(groups)) {
    const rows = await transaction
      .selectFrom('hits')
      .select(['address_group', 'bot_company'])
      .distinct()
      .where('workspace_id', '=', workspaceId)
      .where('address_group', 'in', slice)
      .execute();
    for (const { address_group: group, bot_company: operator } of rows) {
      if (group !== null) operators.set(group, [...(operators.get(group) ?? []), operator]);
    }
  }
  return operators;
}

/**
 * Judges the hits of an address in these groups together. Those at either end may have neighbours
 * outside, which can only add to what was claimed: a verdict is never taken back for want of them.
 */
async function judgeGroups(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    address,
    groups,
    ...context
  }: { address: string; groups: readonly string[]; identity: Identity; proxies: Proxies },
): Promise<ChangedVerdict[]> {
  const rows = await selectGroups(transaction, workspaceId, groups);
  const claims = rows.flatMap((row) => {
    const own = ownVerdict(row);
    if (own === undefined) return [];
    const { id, bot_company: operator, hit_at: hitAt } = row;
    const through = isProxied({ ...row, address }, context);
    return [{ id, operator, atMs: Date.parse(hitAt), own, row, isProxied: through }];
  });
  const judged = judgeTogether(claims).flatMap((verdict, index) => {
    const claim = claims[index];
    if (claim === undefined) return [];
    const { row } = claim;
    const isLess = row.verification === 'spoofed' && verdict.verification !== 'spoofed';
    return isLess && !claim.isProxied ? [] : [{ row, verdict }];
  });
  const changed = await updateVerdicts(transaction, workspaceId, judged);
  return changed.map(({ row, verdict }) => ({ row, verification: verdict.verification }));
}

async function selectGroups(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  groups: readonly string[],
): Promise<GroupedHit[]> {
  const rows: GroupedHit[][] = [];
  for (const slice of slices(groups)) {
    rows.push(
      await transaction
        .selectFrom('hits')
        .select([
          'id',
          'host',
          'bot_name',
          'bot_company',
          'category',
          'hit_at',
          'verification',
          'evidence',
        ])
        .where('workspace_id', '=', workspaceId)
        .where('address_group', 'in', slice)
        .execute(),
    );
  }
  return rows.flat();
}

/** A row and the verdict that it is to have. */
export interface JudgedRow<Row extends Pick<Hit, 'id' | 'verification' | 'evidence'>> {
  readonly row: Row;
  readonly verdict: Verdict;
}

/**
 * Writes verdicts where they are others than the rows'. Returns those that were. Rows with the same
 * new verdict are written together: a forger leaves thousands.
 */
export async function updateVerdicts<Row extends Pick<Hit, 'id' | 'verification' | 'evidence'>>(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  judged: ReadonlyArray<JudgedRow<Row>>,
): Promise<Array<JudgedRow<Row>>> {
  const changed: Array<JudgedRow<Row>> = [];
  const alike = new Map<string, { verdict: Verdict; evidence: string; ids: string[] }>();
  for (const { row, verdict } of judged) {
    const evidence = JSON.stringify(verdict.evidence);
    if (row.verification === verdict.verification && row.evidence === evidence) continue;
    changed.push({ row, verdict });
    const key = `${verdict.verification} ${evidence}`;
    const group = alike.get(key) ?? { verdict, evidence, ids: [] };
    group.ids.push(row.id);
    alike.set(key, group);
  }
  for (const { verdict, evidence, ids } of alike.values()) {
    for (const slice of slices(ids)) {
      await transaction
        .updateTable('hits')
        .set({ verification: verdict.verification, evidence })
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', slice)
        .execute();
    }
  }
  return changed;
}
