import type { Transaction } from 'kysely';
import { inChunks } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Hit } from './hit.ts';
import { hasReason, overrule, overruleInSql, ownInSql } from './overrule.ts';

/** Nobody is so many operators within an hour of the clock. */
const operatorsMin = 3;
/** Groups remembered, and asked for in one statement. */
const groupsMax = 100_000;
const groupsAtOnce = 128;

/** Puts claims in doubt whose address claims to be many operators in the same hour. */
export interface ManyOperators {
  /**
   * The hits as they are to be written, with the doubts that they and the stored ones cast on each
   * other. Stored ones are changed at once. What comes out depends on the hits alone, not on their order.
   */
  doubt(
    transaction: Transaction<DataTables>,
    workspaceId: string,
    hits: readonly Hit[],
  ): Promise<{ readonly hits: readonly Hit[]; readonly changed: number }>;
  /** Whether a group has many operators, and whether it is so since the last hits that were given. */
  isMany(group: string): boolean;
  hasTurned(group: string): boolean;
}

/** Remembers the groups of an ingest that have many operators: nothing takes an operator away. */
export function createManyOperators(): ManyOperators {
  const many = new Set<string>();
  const turnedNow = new Set<string>();
  return {
    doubt,
    isMany: (group) => many.has(group),
    hasTurned: (group) => turnedNow.has(group),
  };

  async function doubt(
    transaction: Transaction<DataTables>,
    workspaceId: string,
    hits: readonly Hit[],
  ): ReturnType<ManyOperators['doubt']> {
    if (many.size > groupsMax) many.clear();
    turnedNow.clear();
    const turned = await findTurned(transaction, workspaceId, hits);
    const changed = await doubtStored(transaction, workspaceId, turned);
    const written = hits.map((hit) => (many.has(hit.address_group ?? '') ? withDoubt(hit) : hit));
    return { hits: written, changed };
  }

  /** Notes the groups that have many operators with these hits. Returns those that had fewer before. */
  async function findTurned(
    transaction: Transaction<DataTables>,
    workspaceId: string,
    hits: readonly Hit[],
  ): Promise<readonly string[]> {
    const claimed = new Map<string, Set<string>>();
    for (const { address_group: group, bot_company: operator } of hits) {
      if (group === null || many.has(group)) continue;
      const operators = claimed.get(group);
      if (operators === undefined) claimed.set(group, new Set([operator]));
      else operators.add(operator);
    }
    const stored = await selectOperators(transaction, workspaceId, [...claimed.keys()]);
    const turned: string[] = [];
    for (const [group, operators] of claimed) {
      const before = stored.get(group) ?? new Set();
      if (operators.union(before).size < operatorsMin) continue;
      many.add(group);
      turnedNow.add(group);
      if (before.size > 0 && before.size < operatorsMin) turned.push(group);
    }
    return turned;
  }
}

/** Applies the rule to all hits of the groups between two, in either direction. Returns how many changed. */
export async function redoubtGroups(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { from, to }: { from: string; to: string },
): Promise<number> {
  const withMany = transaction
    .selectFrom('hits as other')
    .select('other.address_group')
    .where('other.workspace_id', '=', workspaceId)
    .where('other.address_group', '>=', from)
    .where('other.address_group', '<', to)
    .groupBy('other.address_group')
    .having(({ fn }) => fn.count('other.bot_company').distinct(), '>=', operatorsMin);
  const update = transaction
    .updateTable('hits')
    .where('workspace_id', '=', workspaceId)
    .where('address_group', '>=', from)
    .where('address_group', '<', to)
    .where('verification', '=', 'unverified');
  const freed = await update
    .set({ evidence: ownInSql('many_operators') })
    .where((where) => hasReason(where, 'many_operators'))
    .where('address_group', 'not in', withMany)
    .executeTakeFirst();
  const doubted = await update
    .set({ evidence: overruleInSql('many_operators') })
    .where((where) => where.not(hasReason(where, 'many_operators', 'none_verified')))
    .where('address_group', 'in', withMany)
    .executeTakeFirst();
  return Number(freed.numUpdatedRows) + Number(doubted.numUpdatedRows);
}

function withDoubt(hit: Hit): Hit {
  if (hit.verification !== 'unverified' || hit.evidence === null) return hit;
  return { ...hit, evidence: overrule(hit.evidence, 'many_operators') };
}

async function selectOperators(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  groups: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const operators = new Map<string, Set<string>>();
  for (const slice of inChunks(groups, groupsAtOnce)) {
    const rows = await transaction
      .selectFrom('hits')
      .select(['address_group', 'bot_company'])
      .where('workspace_id', '=', workspaceId)
      .where('address_group', 'in', slice)
      .groupBy(['address_group', 'bot_company'])
      .execute();
    for (const { address_group: group, bot_company: operator } of rows) {
      const known = operators.get(group ?? '');
      if (known === undefined) operators.set(group ?? '', new Set([operator]));
      else known.add(operator);
    }
  }
  return operators;
}

/** Each group turns once, so that every stored hit is changed at most once. */
async function doubtStored(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  groups: readonly string[],
): Promise<number> {
  let changed = 0;
  for (const slice of inChunks(groups, groupsAtOnce)) {
    const result = await transaction
      .updateTable('hits')
      .set({ evidence: overruleInSql('many_operators') })
      .where('workspace_id', '=', workspaceId)
      .where('address_group', 'in', slice)
      .where('verification', '=', 'unverified')
      .where((where) => where.not(hasReason(where, 'many_operators', 'none_verified')))
      .executeTakeFirst();
    changed += Number(result.numUpdatedRows);
  }
  return changed;
}
