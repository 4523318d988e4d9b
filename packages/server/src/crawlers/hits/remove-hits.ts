import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';

/** Which hits are to go: those that fit everything that is given. */
export interface Removal {
  /** The client's address in its one spelling; only hits that still have theirs are found. */
  readonly address?: string | undefined;
  /** Those that were read without the name of a site. */
  readonly isWithoutHost?: boolean;
}

/**
 * Removes hits that were read from a log in a way that turned out to be wrong, so that the log can be
 * read again. Hits that were imported stay. Returns how many were removed.
 */
export async function removeHits(
  store: Store,
  workspaceId: string,
  { address, isWithoutHost = false }: Removal,
): Promise<number> {
  const { removed } = await writeWorkspace(store, workspaceId, async (transaction) => {
    let query = transaction
      .deleteFrom('hits')
      .where('workspace_id', '=', workspaceId)
      .where('evidence', 'is not', null);
    if (address !== undefined) query = query.where('address', '=', address);
    if (isWithoutHost) query = query.where('host', 'is', null);
    const count = Number((await query.executeTakeFirst()).numDeletedRows);
    return { hasChanged: count > 0, removed: count };
  });
  return removed;
}
