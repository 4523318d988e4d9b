import type { ReportSource } from './report-source.ts';
import { readTags } from '../storage/prompt-tags.ts';
import { readKnownNames } from './known-names.ts';

/** The values that a workspace's runs can be filtered by, and the brand's name. */
export interface ReportFilters {
  /** The brand's name; null in a workspace without a brand. */
  readonly brandName: string | null;
  /** Engines with counted runs, by name. */
  readonly engines: readonly string[];
  readonly locales: readonly string[];
  /** Tags and topics, by name. */
  readonly tags: readonly string[];
}

/** Reads the choices of the filters that pages share. */
export async function readFilters(source: ReportSource): Promise<ReportFilters> {
  const engines = await source.db
    .selectFrom('run_counts')
    .select('engine')
    .distinct()
    .where('workspace_id', '=', source.workspaceId)
    .orderBy('engine')
    .execute();
  const brand = await source.db
    .selectFrom('subjects')
    .select('name')
    .where('workspace_id', '=', source.workspaceId)
    .where('subject_type', '=', 'brand')
    .executeTakeFirst();
  const tags = await readTags(source.db, source.workspaceId);
  const locales = await readKnownNames(source, 'locale');
  return {
    brandName: brand?.name ?? null,
    engines: engines.map(({ engine }) => engine),
    locales: [...locales].toSorted(),
    tags: tags.map(({ tag }) => tag),
  };
}
