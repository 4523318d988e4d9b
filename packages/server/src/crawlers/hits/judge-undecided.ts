import type { Store } from '../../storage/store.ts';
import { verifyHits } from './verify-hits.ts';
import type { VerifyOptions } from './verify-hits.ts';

/**
 * Judges the hits of every workspace again whose verdict a newer list may change. Returns how many got
 * another verdict.
 */
export async function judgeUndecided(
  store: Store,
  options: Pick<VerifyOptions, 'hostNames' | 'clock' | 'signal'>,
): Promise<number> {
  const workspaces = await store.writer
    .selectFrom('crawler_settings')
    .select('workspace_id')
    .execute();
  let hits = 0;
  for (const { workspace_id: workspaceId } of workspaces) {
    const { changed } = await verifyHits(store, workspaceId, { ...options, isUndecidedOnly: true });
    for (const change of changed) hits += change.hits;
  }
  return hits;
}
