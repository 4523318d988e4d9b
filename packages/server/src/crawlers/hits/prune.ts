import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { readCrawlerSettings } from '../settings.ts';
import { dayOf } from './identity.ts';
import { pruneSample } from './kept-sample.ts';

const dayMs = 86_400_000;
/** Longer than a year of rotated logs, which a pattern may find every day. */
const keepLogsDays = 400;

/**
 * Drops clients' addresses that are older than the workspace keeps them, and what was kept of signed
 * requests, which only serves to judge again together with them. The hits stay, and so do their ids:
 * they do not reveal addresses. Of a request from the future nobody knows how old it is: it counts as
 * old. How far a log was read is forgotten too when it has not grown for very long. Returns how many hits lost their address.
 */
export async function pruneAddresses(
  store: Store,
  workspaceId: string,
  { nowMs }: { nowMs: number },
): Promise<number> {
  const { keepAddressesDays } = await readCrawlerSettings(store, workspaceId);
  const before = new Date(nowMs - keepAddressesDays * dayMs).toISOString();
  // A site's clock may be of another zone.
  const after = new Date(nowMs + Math.min(1, keepAddressesDays) * dayMs).toISOString();
  const { dropped } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const old = await transaction
      .selectFrom('hits')
      .select(({ fn }) => fn.count<number>('address').as('dropped'))
      .where('workspace_id', '=', workspaceId)
      .where((where) => where.or([where('hit_at', '<', before), where('hit_at', '>=', after)]))
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable('hits')
      .set({ address: null, signature: null })
      .where('workspace_id', '=', workspaceId)
      .where((where) => where.or([where('hit_at', '<', before), where('hit_at', '>=', after)]))
      .where((where) =>
        where.or([where('address', 'is not', null), where('signature', 'is not', null)]),
      )
      .execute();
    await transaction
      .deleteFrom('log_files')
      .where('workspace_id', '=', workspaceId)
      .where('updated_at', '<', new Date(nowMs - keepLogsDays * dayMs).toISOString())
      .execute();
    const today = dayOf(nowMs);
    await pruneSample(transaction, workspaceId, { today, keepDays: keepAddressesDays });
    // No address is in an answer of the API: what clients keep stays valid.
    return { hasChanged: false, dropped: old.dropped };
  });
  return dropped;
}
