import { Refusal } from '../../refusals.ts';
import { findId } from '../../storage/queries/find-id.ts';
import type { Store } from '../../storage/store.ts';
import { ownEvidence, shownEvidence } from './hit.ts';

/**
 * Explains one hit, by its id or the beginning of the id. If the site's hits or visitors overrule it, gives
 * its own evidence, too. Throws a `Refusal` if there is none.
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
  const { workspace_id: _workspace, evidence, network: _network, overruled_by: by, ...hit } = row;
  const ownVerdict = by === null ? undefined : ownEvidence(evidence);
  return { hit, evidence: shownEvidence(row), own: ownVerdict };
}
