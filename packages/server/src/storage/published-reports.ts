import type { Kysely, Selectable } from 'kysely';
import { limits } from '@overheard/contract';
import type { DataTables } from './schema.ts';

/** A report as it was published. */
export type StoredReport = Omit<Selectable<DataTables['published_reports']>, 'workspace_id'>;

const columns = ['id', 'published_at', 'sha256', 'body'] as const;

/** The published reports of a workspace, the last first. */
export async function listPublishedReports(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<StoredReport[]> {
  return db
    .selectFrom('published_reports')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limits.publishedReportsMax)
    .execute();
}

/** One published report; undefined if the workspace has none with this id. */
export async function findPublishedReport(
  db: Kysely<DataTables>,
  workspaceId: string,
  id: string,
): Promise<StoredReport | undefined> {
  return db
    .selectFrom('published_reports')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** How many reports a workspace has published. */
export async function countPublishedReports(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<number> {
  const { reports } = await db
    .selectFrom('published_reports')
    .select(({ fn }) => fn.countAll().as('reports'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return Number(reports);
}
