import type { Transaction } from 'kysely';
import { inChunks } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { ownVerdict } from './hit.ts';
import type { Hit, StoredVerdict } from './hit.ts';
import { isUndecided } from './undecided.ts';

/** Ids asked for in one statement. */
const idsAtOnce = 128;

export interface WrittenHits {
  readonly added: readonly Hit[];
  /** Stored hits that a line read again has changed: a lower status, or a verdict that decides more. */
  readonly changed: readonly Hit[];
}

/**
 * Adds hits to a workspace. Of a hit that is stored, the lower status is kept, so that the order of
 * lines does not matter, and the verdict that decides more: a log read again is judged again.
 */
export async function writeHits(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  hits: readonly Hit[],
): Promise<WrittenHits> {
  const distinct = withoutRepeated(hits);
  const insert = rowStatement(transaction, (rows: ReadonlyArray<ReturnType<typeof rowOf>>) =>
    transaction
      .insertInto('hits')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
      .returning('id')
      .compile(),
  );
  const returned = await insert([...distinct.values()].map((hit) => rowOf(workspaceId, hit)));
  if (returned.length === distinct.size) return { added: [...distinct.values()], changed: [] };
  const addedIds = new Set(returned.map(({ id }) => id));
  const added = [...distinct.values()].filter(({ id }) => addedIds.has(id));
  const known = [...distinct.values()].filter(({ id }) => !addedIds.has(id));
  return { added, changed: await judgeAgain(transaction, workspaceId, known) };
}

async function judgeAgain(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  known: readonly Hit[],
): Promise<readonly Hit[]> {
  const changed: Hit[] = [];
  for (const piece of inChunks(known, idsAtOnce)) {
    const rows = await transaction
      .selectFrom('hits')
      .select(['id', 'status', 'verification', 'evidence', 'signature'])
      .where('workspace_id', '=', workspaceId)
      .where(
        'id',
        'in',
        piece.map(({ id }) => id),
      )
      .execute();
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const hit of piece) {
      const update = updateOf(hit, stored.get(hit.id));
      if (update === undefined) continue;
      await transaction
        .updateTable('hits')
        .set(update)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', hit.id)
        .execute();
      changed.push(hit);
    }
  }
  return changed;
}

type Stored = Pick<Hit, 'status' | 'verification' | 'evidence' | 'signature'>;

/** What a line that is read again changes; undefined if nothing. */
function updateOf(hit: Hit, stored: Stored | undefined): Partial<Stored> | undefined {
  if (stored === undefined) return undefined;
  const status = lower(hit.status, stored.status);
  const [again, before] = [ownVerdict(hit), ownVerdict(stored)];
  const isBetter = again !== undefined && before !== undefined && rank(again) > rank(before);
  if (!isBetter && status === stored.status) return undefined;
  const { verification, evidence } = hit;
  return isBetter ? { status, verification, evidence } : { status };
}

/** How much a verdict decides. */
function rank({ verification, evidence }: StoredVerdict): number {
  if (verification === 'verified') return 3;
  if (verification === 'spoofed') return 2;
  return isUndecided(evidence) ? 0 : 1;
}

/** Every row has its fields in the same order: a statement is used again for the values of others. */
function rowOf(workspaceId: string, hit: Hit) {
  return {
    workspace_id: workspaceId,
    id: hit.id,
    bot_name: hit.bot_name,
    bot_company: hit.bot_company,
    category: hit.category,
    path: hit.path,
    method: hit.method,
    status: hit.status,
    verification: hit.verification,
    hit_at: hit.hit_at,
    host: hit.host,
    address: hit.address,
    address_group: hit.address_group,
    user_agent: hit.user_agent,
    signature: hit.signature,
    evidence: hit.evidence,
  };
}

/** Of lines that are one hit the first in an order that does not depend on that of the lines. */
function withoutRepeated(hits: readonly Hit[]): ReadonlyMap<string, Hit> {
  const distinct = new Map<string, Hit>();
  for (const hit of hits) {
    const other = distinct.get(hit.id);
    if (other === undefined) distinct.set(hit.id, hit);
    else distinct.set(hit.id, { ...betterOf(hit, other), status: lower(hit.status, other.status) });
  }
  return distinct;
}

/** They differ in their headers, if at all. */
function betterOf(left: Hit, right: Hit): Hit {
  const [mine, theirs] = [ownVerdict(left), ownVerdict(right)];
  const difference = mine === undefined || theirs === undefined ? 0 : rank(mine) - rank(theirs);
  if (difference !== 0) return difference > 0 ? left : right;
  return (left.signature ?? '') <= (right.signature ?? '') ? left : right;
}

/** No status is the highest. */
function lower(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}
