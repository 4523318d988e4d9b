import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';

/** The domains of a workspace's own sites, in order: its brand's domains, and those it added. */
export async function readOwnSites(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<readonly string[]> {
  const rows = await selectBrandDomains(db, workspaceId)
    .union(db.selectFrom('own_sites').select('domain').where('workspace_id', '=', workspaceId))
    .orderBy('domain')
    .execute();
  return rows.map(({ domain }) => domain);
}

/** Selects the domains of a workspace's brand. */
export function selectBrandDomains(db: Kysely<DataTables>, workspaceId: string) {
  return db
    .selectFrom('subject_domains')
    .innerJoin('subjects', (join) =>
      join
        .on('subjects.workspace_id', '=', workspaceId)
        .onRef('subjects.id', '=', 'subject_domains.subject_id'),
    )
    .select('domain')
    .where('subject_domains.workspace_id', '=', workspaceId)
    .where('subject_type', '=', 'brand')
    .where('archived_at', 'is', null);
}
