import type { CompiledQuery, Transaction } from 'kysely';
import { createRowStatement } from '../../storage/row-statement.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Hit } from './hit.ts';

/** Values in the list of a statement. */
const valuesMax = 100;

export interface WrittenHits {
  readonly added: readonly Hit[];
  /** Lines that were hits already, with the verdicts that those have. */
  readonly known: readonly Hit[];
  /** Hits that were there with a higher status. */
  readonly changed: number;
}

/**
 * Adds hits to a workspace. One that is there is left alone; of two that differ in their status the
 * lower is kept, so that the order of lines does not matter.
 */
export async function writeHits(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  hits: readonly Hit[],
): Promise<WrittenHits> {
  const { distinct, repeated } = dropRepeated(hits);
  const insert = createInsert(transaction, workspaceId);
  const selectKept = createSelectKept(transaction, workspaceId);
  const added: Hit[] = [];
  const known: Hit[] = [];
  let changed = 0;
  for (const slice of slices([...distinct.values()])) {
    const kept = await selectKept(slice);
    const fresh = slice.filter(({ id }) => !kept.has(id));
    await insert(fresh);
    added.push(...fresh);
    for (const hit of slice) {
      const { id, status } = hit;
      const row = kept.get(id);
      if (row === undefined) continue;
      known.push({ ...hit, verification: row.verification });
      if (lower(status, row.status) === row.status) continue;
      await transaction
        .updateTable('hits')
        .set({ status })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
      changed++;
    }
  }
  return { added, known: [...known, ...asWritten(repeated, [...added, ...known])], changed };
}

/** Repeated hits with the verdicts of those that they repeat. */
function asWritten(repeated: readonly Hit[], written: readonly Hit[]): readonly Hit[] {
  if (repeated.length === 0) return [];
  const verdicts = new Map(written.map(({ id, verification }) => [id, verification]));
  return repeated.map((hit) => ({
    ...hit,
    verification: verdicts.get(hit.id) ?? hit.verification,
  }));
}

/** Makes what adds hits that are not there. */
function createInsert(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): (hits: readonly Hit[]) => Promise<void> {
  const insert = createRowStatement(transaction, (rows: ReadonlyArray<ReturnType<typeof rowOf>>) =>
    transaction.insertInto('hits').values(rows).compile(),
  );
  return (hits) => insert(hits.map((hit) => rowOf(workspaceId, hit)));
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

/** Lists of at most `valuesMax` of the values. */
export function* slices<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += valuesMax) {
    yield rows.slice(start, start + valuesMax);
  }
}

function dropRepeated(hits: readonly Hit[]): { distinct: Map<string, Hit>; repeated: Hit[] } {
  const distinct = new Map<string, Hit>();
  const repeated: Hit[] = [];
  for (const hit of hits) {
    const other = distinct.get(hit.id);
    const isLower = other === undefined || lower(hit.status, other.status) !== other.status;
    if (isLower) distinct.set(hit.id, hit);
    if (other !== undefined) repeated.push(isLower ? other : hit);
  }
  return { distinct, repeated };
}

type Kept = Pick<Hit, 'id' | 'status' | 'verification'>;

/** Makes what finds those hits that are there, by their ids. Built once for each number of them. */
function createSelectKept(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): (hits: readonly Hit[]) => Promise<Map<string, Kept>> {
  const built = new Map<number, CompiledQuery<Kept>>();
  const select = (ids: readonly string[]) =>
    transaction
      .selectFrom('hits')
      .select(['id', 'status', 'verification'])
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', ids)
      .compile();
  return async function selectKept(hits) {
    const ids = hits.map(({ id }) => id);
    const query = built.get(ids.length) ?? select(ids);
    built.set(ids.length, query);
    const { rows } = await transaction.executeQuery<Kept>({
      ...query,
      parameters: [workspaceId, ...ids],
    });
    return new Map(rows.map((row) => [row.id, row]));
  };
}

/** No status is the highest. */
function lower(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}
