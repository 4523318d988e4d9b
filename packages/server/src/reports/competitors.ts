import type { ShareRow } from '@overheard/contract';
import { readShares } from './shares/shares.ts';
import type { ShareQuery } from './shares/shares.ts';
import type { ReportSource } from './report-source.ts';

/** The runs over which subjects are compared. */
export type CompetitorQuery = Pick<
  ShareQuery,
  'from' | 'to' | 'engine' | 'locale' | 'withoutCompetitorPrompts'
>;

/** How often each subject is cited, on all engines together and on each. */
export interface Competitors {
  readonly subjects: readonly ShareRow[];
  readonly engines: ReadonlyArray<{ readonly engine: string; readonly subjects: ShareRow[] }>;
}

/** Reads the figures of every subject, the brand first. */
export async function readCompetitors(
  source: ReportSource,
  query: CompetitorQuery,
): Promise<Competitors> {
  const rowsMax = Number.POSITIVE_INFINITY;
  const subjects = await readShares(source, { ...query, by: 'total', rowsMax });
  const rows = await readShares(source, { ...query, by: 'engine', rowsMax });
  const byEngine = Map.groupBy(rows, ({ engine }) => engine ?? '');
  const engines = [...byEngine].map(([engine, ofEngine]) => ({ engine, subjects: ofEngine }));
  return {
    subjects,
    engines: engines.toSorted((left, right) => (left.engine < right.engine ? -1 : 1)),
  };
}
