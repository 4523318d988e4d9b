import type { Kysely } from 'kysely';
import type { UnpackedCounts } from '../storage/rollups/run-counts.ts';
import type { DataTables } from '../storage/schema.ts';

/** Where a report reads, and of which workspace. */
export interface ReportSource {
  readonly db: Kysely<DataTables>;
  readonly workspaceId: string;
  /** Of a thread that reads many reports. */
  readonly known?: UnpackedCounts;
}
