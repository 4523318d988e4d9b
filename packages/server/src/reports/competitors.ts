import { readPeriodShares } from './shares/shares.ts';
import type { PeriodShares, ShareQuery } from './shares/shares.ts';
import type { ReportSource } from './report-source.ts';

/** The runs over which subjects are compared. */
export type CompetitorQuery = Pick<
  ShareQuery,
  'from' | 'to' | 'engine' | 'surface' | 'locale' | 'tag' | 'excludesCompetitorPrompts'
>;

/** Reads the figures of every subject, the brand first. */
export async function readCompetitors(source: ReportSource, query: CompetitorQuery) {
  return toCompetitors(await readPeriodShares(source, query));
}

/** How often each subject is cited, on the engines of the head together and on each engine. */
export type Competitors = ReturnType<typeof toCompetitors>;

/** Computes the figures of every subject from counts. */
export function toCompetitors({ rowsBy, head, surfaces }: PeriodShares) {
  const byEngine = Map.groupBy(rowsBy('engine'), ({ engine }) => engine ?? '');
  const engines = [...byEngine].map(([engine, ofEngine]) => ({ engine, subjects: ofEngine }));
  return {
    surfaces: surfaces(),
    subjects: rowsBy('total', { surface: head }),
    engines: engines.toSorted((left, right) => (left.engine < right.engine ? -1 : 1)),
  };
}
