import { readStoredEngines } from '../storage/queries/stored-engines.ts';
import type { ReportSource } from './report-source.ts';

/** A filter that names something of the workspace. */
export type NamedFilter = 'engine' | 'locale' | 'host' | 'bot_name';

/** The names that a filter of reports can have in a workspace. */
export async function readKnownNames(
  { db, workspaceId }: ReportSource,
  filter: NamedFilter,
): Promise<ReadonlySet<string>> {
  if (filter === 'engine') return readStoredEngines(db, workspaceId);
  const rows =
    filter === 'locale'
      ? await db
          .selectFrom('prompts')
          .select('locale as name')
          .distinct()
          .where('workspace_id', '=', workspaceId)
          .execute()
      : await db
          .selectFrom('hit_days')
          .select(`${filter} as name`)
          .distinct()
          .where('workspace_id', '=', workspaceId)
          // A log may name no host.
          .where(filter, '<>', '')
          .execute();
  return new Set(rows.map(({ name }) => name));
}

/** The text of a prompt. */
export interface PromptName {
  readonly id: string;
  readonly text: string;
  readonly language: string;
  readonly locale: string;
}

/** The texts of all prompts, by id. */
export async function readPromptNames({
  db,
  workspaceId,
}: ReportSource): Promise<ReadonlyMap<string, PromptName>> {
  const rows = await db
    .selectFrom('prompts')
    .select(['id', 'text', 'language', 'locale'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
