import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';

/** Selects the counted runs: answered runs of prompts that don't name the brand. */
export function countedRuns(db: Kysely<DataTables>, workspaceId: string) {
  return db
    .selectFrom('runs')
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.outcome', '=', 'answered')
    .where('runs.branded', '=', false);
}
