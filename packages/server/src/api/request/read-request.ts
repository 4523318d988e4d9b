import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';

/** What every endpoint's query gets. */
export interface ReadRequest {
  readonly db: Kysely<DataTables>;
  readonly workspaceId: string;
  /** The UTC day of the request, `2026-11-20`. */
  readonly today: string;
}
