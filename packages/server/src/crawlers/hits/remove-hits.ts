import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';

/** Which hits are to go: those that fit everything that is given. */
export interface Removal {
  /** The client's address in its one spelling; only hits that still have theirs are found. */
  readonly address?: string | undefined;
  /** Those that were read without the name of a site. */
  readonly isWithoutHost?: boolean;
  /** Those that were imported as rows, instead of those that were read from a log. */
  readonly isImported?: boolean;
}

/**
 * Removes hits that were read from logs, so that the logs can be read again, or hits that were
 * imported as rows. Only hits of logs have evidence. Returns how many were removed.
 */
export async function removeHits(
  store: Store,
  workspaceId: string,
  { address, isWithoutHost = false, isImported = false }: Removal,
): Promise<number> {
  const { removed } = await writeWorkspace(store, workspaceId, async (transaction) => {
    let query = transaction
      .deleteFrom('hits')
      .where('workspace_id', '=', workspaceId)
      .where('evidence', isImported ? 'is' : 'is not', null);
    if (address !== undefined) query = query.where('address', '=', address);
    if (isWithoutHost) query = query.where('host', 'is', null);
    const count = Number((await query.executeTakeFirst()).numDeletedRows);
    return { hasChanged: count > 0, removed: count };
  });
  return removed;
}
