import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';

/** The robots.txt of all hosts, or of one, oldest first. */
export async function readRobotsFiles(
  { db, workspaceId }: { readonly db: Kysely<DataTables>; readonly workspaceId: string },
  host?: string,
) {
  return db
    .selectFrom('robots_files')
    .select(['host', 'from_at as at', 'status', 'content'])
    .where('workspace_id', '=', workspaceId)
    .$if(host !== undefined, (query) => query.where('host', '=', host ?? ''))
    .orderBy('host')
    .orderBy('from_at')
    .execute();
}
