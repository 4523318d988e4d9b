import type { ReportSource } from './report-source.ts';
import { readTags } from '../storage/prompt-tags.ts';
import { readKnownNames } from './known-names.ts';

/** The runs that are looked at, because all of a workspace may be a million. */
const lastRuns = 500;

/** Reads the choices of the filters that pages share. */
export async function readFilters(source: ReportSource) {
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
    /** Null in a workspace without a brand. */
    brandName: brand?.name ?? null,
    /** Engines with counted runs, by name. */
    engines: engines.map(({ engine }) => engine),
    locales: [...locales].toSorted(),
    /** Tags and topics, by name. */
    tags: tags.map(({ tag }) => tag),
    /** Whether an engine of the last answers says if it searched. */
    saysSearch: says !== undefined,
  };
}
