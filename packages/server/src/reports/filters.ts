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
  /** Whether an engine of the last answers says if it searched. */
  readonly saysSearch: boolean;
}

/** The runs that are looked at, because all of a workspace may be a million. */
const lastRuns = 500;

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
  const last = source.db
    .selectFrom('runs')
    .select('searched')
    .where('workspace_id', '=', source.workspaceId)
    .orderBy('run_at', 'desc')
    .limit(lastRuns)
    .as('last');
  const says = await source.db
    .selectFrom(last)
    .select('searched')
    .where('searched', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  const tags = await readTags(source.db, source.workspaceId);
  const locales = await readKnownNames(source, 'locale');
  return {
    brandName: brand?.name ?? null,
    engines: engines.map(({ engine }) => engine),
    locales: [...locales].toSorted(),
    tags: tags.map(({ tag }) => tag),
    saysSearch: says !== undefined,
  };
}
