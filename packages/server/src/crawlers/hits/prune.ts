import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { readCrawlerSettings } from '../settings.ts';

/**
 * Drops clients' addresses that are older than the workspace keeps them. The hits stay, and so do
 * their ids: they do not reveal addresses. Returns how many were dropped.
 */
export async function pruneAddresses(
  store: Store,
  workspaceId: string,
  { nowMs }: { nowMs: number },
): Promise<number> {
  const { keepAddressesDays } = await readCrawlerSettings(store, workspaceId);
  const before = new Date(nowMs - keepAddressesDays * 86_400_000).toISOString();
  const { dropped } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const result = await transaction
      .updateTable('hits')
      .set({ address: null })
      .where('workspace_id', '=', workspaceId)
      .where('hit_at', '<', before)
      .where('address', 'is not', null)
      .executeTakeFirst();
    // No address is in an answer of the API: what clients keep stays valid.
    return { hasChanged: false, dropped: Number(result.numUpdatedRows) };
  });
  return dropped;
}
