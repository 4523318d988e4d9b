import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';

/**
 * Reads the engines that a workspace has runs or scores of. It reads all runs, so call it only if
 * necessary.
 */
export async function readStoredEngines(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<ReadonlySet<string>> {
  const engines = new Set<string>();
  for (const table of ['scores', 'runs'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('engine')
      .distinct()
      .where('workspace_id', '=', workspaceId)
      .execute();
    for (const { engine } of rows) engines.add(engine);
  }
  return engines;
}
