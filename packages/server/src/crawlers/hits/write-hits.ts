import type { Transaction } from 'kysely';
import { inChunks } from '../../storage/chunks.ts';
import type { HitChange } from '../../storage/counts/hit-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { ownVerdict, withhold } from './hit.ts';
import type { Hit, StoredVerdict } from './hit.ts';
import { mergeOutcomes } from '../../values/sites/robots-history.ts';
import { isUndecided } from './reasons.ts';
import { queueHits, recordChanges } from './record-changes.ts';

/** Ids asked for in one statement. */
const idsAtOnce = 128;

/** A hit with its own verdict. */
export type JudgedHit = Omit<Hit, 'overruled_by'> & StoredVerdict;

/**
 * Adds hits to a workspace, counts them, and leaves those that are refuted to be settled. A stored hit keeps the lower status, so
 * that the order of lines does not matter, and the verdict that decides more. Returns how many hits
 * were added, and whether anything changed.
 */
export async function writeHits(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  hits: readonly JudgedHit[],
): Promise<{ readonly added: number; readonly hasChanged: boolean }> {
  const distinct = mergeRepeated(hits);
  const insert = rowStatement(transaction, (rows: ReadonlyArray<Hit & { workspace_id: string }>) =>
    transaction
      .insertInto('hits')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
      .returning('id')
      .compile(),
  );
  const rows = distinct.map((hit) => ({ workspace_id: workspaceId, ...hit, ...withhold(hit) }));
  const returned = await insert(rows);
  const addedIds = new Set(returned.map(({ id }) => id));
  const storedHits = distinct.filter(({ id }) => !addedIds.has(id));
  const changed = await updateStoredHits(transaction, workspaceId, storedHits);
  const added = rows.filter(({ id }) => addedIds.has(id)).map((after) => ({ after }));
  const touched = [...added, ...changed];
  await recordChanges({ rowStatement }, transaction, workspaceId, touched);
  await queueHits(
    { rowStatement },
    transaction,
    workspaceId,
    touched.map(({ after }) => after),
  );
  return { added: addedIds.size, hasChanged: touched.length > 0 };
}

async function updateStoredHits(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  storedHits: readonly JudgedHit[],
): Promise<readonly HitChange<Hit>[]> {
  const changed: HitChange<Hit>[] = [];
  for (const piece of inChunks(storedHits, idsAtOnce)) {
    const ids = piece.map(({ id }) => id);
    const rows = await transaction
      .selectFrom('hits')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', ids)
      .execute();
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const hit of piece) {
      const before = stored.get(hit.id);
      const update = updateOf(hit, before);
      if (before === undefined || update === undefined) continue;
      await transaction
        .updateTable('hits')
        .set(update)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', hit.id)
        .execute();
      changed.push({ before, after: { ...before, ...update } });
    }
  }
  return changed;
}

type StoredFields = Pick<
  Hit,
  'status' | 'verification' | 'evidence' | 'overruled_by' | 'network' | 'robots_outcomes'
>;

/**
 * What a line that is read again changes; undefined if nothing. The reading that decides more replaces
 * the row whole, because its headers belong to its verdict. A hit of an older version gets its network.
 */
function updateOf(hit: JudgedHit, stored: StoredFields | undefined): Partial<Hit> | undefined {
  const storedVerdict = stored && ownVerdict(stored);
  if (stored === undefined || storedVerdict === undefined) return undefined;
  const status = lower(hit.status, stored.status);
  const outcomes = mergeOutcomes(hit.robots_outcomes, stored.robots_outcomes);
  if (rank(hit) > rank(storedVerdict)) {
    return { ...hit, ...withhold(hit), status, robots_outcomes: outcomes };
  }
  const network = stored.network ?? hit.network;
  const isSame =
    status === stored.status && network === stored.network && outcomes === stored.robots_outcomes;
  return isSame ? undefined : { status, network, robots_outcomes: outcomes };
}

/** How much a verdict decides. */
function rank({ verification, evidence }: StoredVerdict): number {
  if (verification === 'verified') return 3;
  if (verification === 'spoofed') return 2;
  return isUndecided(evidence) ? 0 : 1;
}

/** Merges lines that are one hit, so that their order does not matter. */
function mergeRepeated(hits: readonly JudgedHit[]): readonly JudgedHit[] {
  const distinct = new Map<string, JudgedHit>();
  for (const hit of hits) {
    const other = distinct.get(hit.id) ?? hit;
    distinct.set(hit.id, { ...betterOf(hit, other), status: lower(hit.status, other.status) });
  }
  return [...distinct.values()];
}

/** Lines of one hit can differ in their headers alone. */
function betterOf(left: JudgedHit, right: JudgedHit): JudgedHit {
  const difference = rank(left) - rank(right);
  if (difference !== 0) return difference > 0 ? left : right;
  return (left.signature ?? '') <= (right.signature ?? '') ? left : right;
}

/** No status counts as the highest. */
function lower(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}
