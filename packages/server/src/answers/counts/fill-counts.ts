import type { Kysely, Transaction } from 'kysely';
import { rebuildHitCounts } from '../../storage/counts/hit-counts.ts';
import { countsVersion } from '../../storage/counts/counts-version.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { rebuildRunCounts } from './rebuild-run-counts.ts';

/**
 * Fills the counts of one workspace or all that have none, or that have those of an older version
 * after an upgrade. Calls `onBegin` before the first, because a large workspace takes minutes.
 * Returns the number of filled workspaces.
 */
export async function fillCounts(
  store: Store,
  workspaceId?: string,
  onBegin?: () => unknown,
): Promise<number> {
  const workspaces = await store.reader
    .selectFrom('workspaces')
    .select('id')
    .$if(workspaceId !== undefined, (query) => query.where('id', '=', workspaceId ?? ''))
    .orderBy('id')
    .execute();
  let filled = 0;
  for (const { id } of workspaces) {
    if (await isFilled(store.reader, id)) continue;
    if (filled === 0) onBegin?.();
    const { wasFilled } = await writeWorkspace(store, id, async (transaction) => {
      // If several servers start together, the first fills the counts while the others wait.
      if (await isFilled(transaction, id)) return { hasChanged: false, wasFilled: true };
      const hasHits = await rebuildHitCounts(store, transaction, id);
      const hasChanged = (await rebuildRunCounts(transaction, id)) || hasHits;
      await noteVersion(transaction, id);
      return { hasChanged, wasFilled: false };
    });
    if (!wasFilled) filled += 1;
  }
  return filled;
}

async function isFilled(db: Kysely<DataTables>, workspaceId: string): Promise<boolean> {
  const state = await db
    .selectFrom('rollup_states')
    .select('version')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return state?.version === countsVersion;
}

async function noteVersion(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  await transaction
    .insertInto('rollup_states')
    .values({ workspace_id: workspaceId, version: countsVersion })
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet({ version: countsVersion }),
    )
    .execute();
}
