import type { Kysely } from 'kysely';
import type { DataTables } from '../storage/schema.ts';

/** Where a report reads, and of which workspace. */
export interface ReportSource {
  readonly db: Kysely<DataTables>;
  readonly workspaceId: string;
}
