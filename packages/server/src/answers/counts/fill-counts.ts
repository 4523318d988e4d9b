import type { Kysely, Transaction } from 'kysely';
import { isRefusal } from '../../refusals.ts';
import { rebuildHitCounts } from '../../storage/counts/hit-counts.ts';
import { countsVersion } from '../../storage/counts/counts-version.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { rebuildRunCounts } from './rebuild-run-counts.ts';

/** Which of the workspaces to fill is being filled: the first is 1. */
export interface CountPlace {
  readonly workspace: number;
  readonly of: number;
}

/**
 * Fills the counts of one workspace or all that have none, or that have those of an older version
 * after an upgrade. Calls `onWorkspace` before each, because a large workspace takes minutes. What
 * is filled stays filled if the work is cut off. Returns the number of filled workspaces. Throws a
 * `Refusal` if the one workspace was removed meanwhile; among all, that one is skipped.
 */
export async function fillCounts(
  store: Store,
  workspaceId?: string,
  onWorkspace?: (place: CountPlace) => unknown,
): Promise<number> {
  let filled = 0;
  const unfilled = await findUnfilled(store, workspaceId);
  for (const [index, id] of unfilled.entries()) {
    onWorkspace?.({ workspace: index + 1, of: unfilled.length });
    try {
      if (await fill(store, id)) filled += 1;
    } catch (error) {
      const isRemoved = isRefusal(error) && error.code === 'workspace_removed';
      if (!isRemoved || workspaceId !== undefined) throw error;
    }
  }
  return filled;
}

/** Fills the counts of one workspace. Returns whether they were still to fill. */
async function fill(store: Store, id: string): Promise<boolean> {
  const { wasFilled } = await writeWorkspace(store, id, async (transaction) => {
    // If several servers start together, the first fills the counts while the others wait.
    if (await isFilled(transaction, id)) return { hasChanged: false, wasFilled: true };
    const hasHits = await rebuildHitCounts(store, transaction, id);
    const hasChanged = (await rebuildRunCounts(transaction, id)) || hasHits;
    await noteVersion(transaction, id);
    return { hasChanged, wasFilled: false };
  });
  return !wasFilled;
}

/** Ids of the workspaces, or of the one, whose counts are missing or of an older version. */
export async function findUnfilled(
  { reader }: Pick<Store, 'reader'>,
  workspaceId?: string,
): Promise<string[]> {
  const workspaces = await reader
    .selectFrom('workspaces')
    .select('id')
    .$if(workspaceId !== undefined, (query) => query.where('id', '=', workspaceId ?? ''))
    .orderBy('id')
    .execute();
  const unfilled: string[] = [];
  for (const { id } of workspaces) if (!(await isFilled(reader, id))) unfilled.push(id);
  return unfilled;
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
