import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';

/**
 * Reads the revision of a workspace's data, which every write changes. Empty if the workspace has
 * been removed.
 */
export async function readRevision(db: Kysely<DataTables>, workspaceId: string): Promise<string> {
  const row = await db
    .selectFrom('revisions')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.revision ?? '';
}
