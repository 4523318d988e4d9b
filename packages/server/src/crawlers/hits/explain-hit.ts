import { Refusal } from '../../refusals.ts';
import { findId } from '../../storage/queries/find-id.ts';
import type { Store } from '../../storage/store.ts';
import { ownEvidence, shownEvidence } from './hit.ts';

/**
 * Explains one hit, by its id or the beginning of the id. If other hits overrule it, gives its own
 * evidence, too; if its address claimed to be many operators, a hit of each in the same hour. Throws a
 * `Refusal` if there is none.
 */
export async function explainHit(store: Store, workspaceId: string, word: string) {
  const id = await findId(store.reader, { table: 'hits', workspaceId, word });
  const row = await store.reader
    .selectFrom('hits')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id ?? '')
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('hit_not_found', { word });
  const {
    workspace_id: _workspace,
    evidence,
    address_group: group,
    overruled_by: by,
    ...hit
  } = row;
  const isDoubted = by === 'many_operators' && group !== null;
  const neighbours = isDoubted ? await selectNeighbours(store, workspaceId, group) : [];
  const ownVerdict = by === null ? undefined : ownEvidence(evidence);
  return { hit, evidence: shownEvidence(row), own: ownVerdict, neighbours };
}

async function selectNeighbours(store: Store, workspaceId: string, group: string) {
  const rows = await store.reader
    .selectFrom('hits')
    .select(['bot_company', ({ fn }) => fn.min('bot_name').as('bot_name')])
    .select(({ fn }) => fn.min('hit_at').as('hit_at'))
    .where('workspace_id', '=', workspaceId)
    .where('address_group', '=', group)
    .groupBy('bot_company')
    .execute();
  return rows.toSorted((left, right) => (left.hit_at < right.hit_at ? -1 : 1));
}
