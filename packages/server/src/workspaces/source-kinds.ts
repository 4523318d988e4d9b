import type { SourceKind } from '../values/sites/source-kind.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';

/**
 * Sets the kind of a site in a workspace; undefined forgets what was set. Gaps follow when they are
 * found again.
 */
export async function setSourceKind(
  store: Store,
  workspaceId: string,
  { site, kind }: { readonly site: string; readonly kind: SourceKind | undefined },
): Promise<void> {
  const row = { workspace_id: workspaceId, site };
  await writeWorkspace(store, workspaceId, async (transaction) => {
    await transaction
      .deleteFrom('source_kinds')
      .where('workspace_id', '=', workspaceId)
      .where('site', '=', row.site)
      .execute();
    if (kind !== undefined) {
      await transaction
        .insertInto('source_kinds')
        .values({ ...row, kind })
        .execute();
    }
    return { hasChanged: true };
  });
}
