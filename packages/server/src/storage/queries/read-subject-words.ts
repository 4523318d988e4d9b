import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';

/** Reads the aliases of a workspace's subjects, by subject and in the order in which they are shown. */
export async function readAliases(db: Kysely<DataTables>, workspaceId: string) {
  const rows = await db
    .selectFrom('subject_aliases')
    .select(['subject_id', 'alias', 'match'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('folded')
    .execute();
  return bySubject(rows, ({ alias, match }) => ({ alias, match }));
}

/**
 * Reads the domains of a workspace's subjects, by subject and in the order in which they are shown.
 */
export async function readDomains(db: Kysely<DataTables>, workspaceId: string) {
  const rows = await db
    .selectFrom('subject_domains')
    .select(['subject_id', 'domain'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('domain')
    .execute();
  return bySubject(rows, ({ domain }) => domain);
}

/**
 * Reads the owned paths of a workspace's subjects, by subject and in the order in which they are
 * shown.
 */
export async function readPaths(db: Kysely<DataTables>, workspaceId: string) {
  const rows = await db
    .selectFrom('subject_paths')
    .select(['subject_id', 'path'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('path')
    .execute();
  return bySubject(rows, ({ path }) => path);
}

function bySubject<Row extends { readonly subject_id: string }, Word>(
  rows: readonly Row[],
  wordOf: (row: Row) => Word,
): (subjectId: string) => Word[] {
  const words = Map.groupBy(rows, (row) => row.subject_id);
  return (subjectId) => (words.get(subjectId) ?? []).map(wordOf);
}
