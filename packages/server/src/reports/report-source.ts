import type { Kysely } from 'kysely';
import type { DataTables } from '../storage/schema.ts';

/** The database and workspace that a report reads. */
export interface ReportSource {
  readonly db: Kysely<DataTables>;
  readonly workspaceId: string;
}
