import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { judgeTogether } from '../verify/many-operators.ts';
import type { Verdict } from '../verify/verdict.ts';
import { ownVerdict } from './hit.ts';
import type { Hit } from './hit.ts';
import { periodOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { slices } from './write-hits.ts';

/** How many periods on each side a claim's own window and its neighbours' windows reach. */
const reach = 2;
const operatorsMin = 3;

type GroupedHit = Pick<
  Hit,
  'id' | 'bot_name' | 'bot_company' | 'category' | 'hit_at' | 'verification' | 'evidence'
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
  { hits, identity }: { hits: readonly Hit[]; identity: Identity },
): Promise<ChangedVerdict[]> {
  const wanted = wantedPeriods(hits);
  const groups = new Map<string, string[]>();
  for (const [address, periods] of wanted) {
    groups.set(
      address,
      [...periods].map((period) => identity.addressGroup(address, period)),
    );
  }
  const operators = await selectOperators(transaction, workspaceId, [...groups.values()].flat());
  const changed: ChangedVerdict[] = [];
  for (const own of groups.values()) {
    const claimed = new Set(own.flatMap((group) => operators.get(group) ?? []));
    if (claimed.size < operatorsMin) continue;
    changed.push(...(await judgeGroups(transaction, workspaceId, own)));
  }
  return changed;
}

function wantedPeriods(hits: readonly Hit[]): Map<string, Set<number>> {
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
 * Judges the hits of these groups together. Those at either end may have neighbours outside, which
 * can only add to what was claimed: a verdict is never taken back for want of them.
 */
async function judgeGroups(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  groups: readonly string[],
): Promise<ChangedVerdict[]> {
  const rows: GroupedHit[] = [];
  for (const slice of slices(groups)) {
    rows.push(
      ...(await transaction
        .selectFrom('hits')
        .select(['id', 'bot_name', 'bot_company', 'category', 'hit_at', 'verification', 'evidence'])
        .where('workspace_id', '=', workspaceId)
        .where('address_group', 'in', slice)
        .execute()),
    );
  }
  const claims = rows.flatMap((row) => {
    const own = ownVerdict(row);
    if (own === undefined) return [];
    return [{ id: row.id, operator: row.bot_company, atMs: Date.parse(row.hit_at), own, row }];
  });
  const changed: ChangedVerdict[] = [];
  for (const [index, verdict] of judgeTogether(claims).entries()) {
    const row = claims[index]?.row;
    const isLess = row?.verification === 'spoofed' && verdict.verification !== 'spoofed';
    if (row === undefined || isLess) continue;
    if (await updateVerdict(transaction, workspaceId, { row, verdict })) {
      changed.push({ row, verification: verdict.verification });
    }
  }
  return changed;
}

/** Writes a verdict where it is another than the row's. Returns whether it was. */
export async function updateVerdict(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { row, verdict }: { row: Pick<Hit, 'id' | 'verification' | 'evidence'>; verdict: Verdict },
): Promise<boolean> {
  const evidence = JSON.stringify(verdict.evidence);
  if (row.verification === verdict.verification && row.evidence === evidence) return false;
  await transaction
    .updateTable('hits')
    .set({ verification: verdict.verification, evidence })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', row.id)
    .execute();
  return true;
}
