import type { ReportSource } from './report-source.ts';
import { readKnownNames } from './known-names.ts';

/** What the runs of a workspace can be filtered by. */
export interface ReportFilters {
  /** Engines with counted runs, by name. */
  readonly engines: readonly string[];
  readonly locales: readonly string[];
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
  const locales = await readKnownNames(source, 'locale');
  return { engines: engines.map(({ engine }) => engine), locales: [...locales].toSorted() };
}
