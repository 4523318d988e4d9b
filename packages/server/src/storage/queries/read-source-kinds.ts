import type { SourceRow } from '@overheard/contract';
import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';

/** Reads the kinds of sites that people have set in a workspace, by site. */
export async function readSourceKinds(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<ReadonlyMap<string, SourceRow['kind']>> {
  const rows = await db
    .selectFrom('source_kinds')
    .select(['site', 'kind'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Map(rows.map(({ site, kind }) => [site, kind]));
}
