import type { Kysely } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { cleanText, fold, nameLengthMax } from './words.ts';

/** The dismissed names of a workspace, by name. */
export function listDismissed(db: Kysely<DataTables>, workspaceId: string) {
  return db
    .selectFrom('dismissed_names')
    .select(['name', 'dismissed_at', 'dismissed_by'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('folded')
    .execute();
}

/**
 * Dismisses a name or a site, so that it is not suggested again. Doing it twice changes nothing more.
 * Throws a `Refusal` for text that no name can be.
 */
export async function dismissName(
  store: Store,
  workspaceId: string,
  { name, userId = null, clock }: { name: string; userId?: string | null; clock: () => number },
): Promise<{ hasChanged: boolean; name: string }> {
  const clean = cleanText(name, { field: 'name', lengthMax: nameLengthMax });
  return writeWorkspace(store, workspaceId, async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('dismissed_names')
      .values({
        workspace_id: workspaceId,
        folded: fold(clean),
        name: clean,
        dismissed_at: new Date(clock()).toISOString(),
        dismissed_by: userId,
      })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'folded']).doNothing())
      .executeTakeFirstOrThrow();
    return { hasChanged: numInsertedOrUpdatedRows === 1n, name: clean };
  });
}

/** Lets a dismissed name be suggested again. */
export async function restoreName(
  store: Store,
  workspaceId: string,
  { name }: { name: string },
): Promise<{ hasChanged: boolean; name: string }> {
  const clean = cleanText(name, { field: 'name', lengthMax: nameLengthMax });
  return writeWorkspace(store, workspaceId, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('dismissed_names')
      .where('workspace_id', '=', workspaceId)
      .where('folded', '=', fold(clean))
      .executeTakeFirstOrThrow();
    return { hasChanged: numDeletedRows > 0n, name: clean };
  });
}
