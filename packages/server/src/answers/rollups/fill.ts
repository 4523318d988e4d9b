import type { Transaction } from 'kysely';
import { rebuildHitCounts } from '../../storage/rollups/hit-counts.ts';
import { rollupVersion } from '../../storage/rollups/version.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { rebuildRunCounts } from './rebuild.ts';

/**
 * Makes the rollups of workspaces that have none, or those of an older version: after an upgrade.
 * Takes one workspace, or all. Returns how many workspaces it filled.
 */
export async function fillRollups(store: Store, workspaceId?: string): Promise<number> {
  const workspaces = await store.reader
    .selectFrom('workspaces')
    .select('id')
    .$if(workspaceId !== undefined, (query) => query.where('id', '=', workspaceId ?? ''))
    .orderBy('id')
    .execute();
  let filled = 0;
  for (const { id } of workspaces) {
    const state = await store.reader
      .selectFrom('rollup_states')
      .select('version')
      .where('workspace_id', '=', id)
      .executeTakeFirst();
    if (state?.version === rollupVersion) continue;
    await writeWorkspace(store, id, async (transaction) => {
      const hasHits = await rebuildHitCounts(transaction, id);
      const hasChanged = (await rebuildRunCounts(transaction, id)) || hasHits;
      await noteVersion(transaction, id);
      return { hasChanged };
    });
    filled += 1;
  }
  return filled;
}

async function noteVersion(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  await transaction
    .insertInto('rollup_states')
    .values({ workspace_id: workspaceId, version: rollupVersion })
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet({ version: rollupVersion }),
    )
    .execute();
}
