import type { ShareRow } from '@overheard/contract';
import { readPeriodShares } from './shares/shares.ts';
import type { PeriodShares, ShareQuery, Surfaces } from './shares/shares.ts';
import type { ReportSource } from './report-source.ts';

/** The runs over which subjects are compared. */
export type CompetitorQuery = Pick<
  ShareQuery,
  'from' | 'to' | 'engine' | 'surface' | 'locale' | 'tag' | 'excludesCompetitorPrompts'
>;

/** How often each subject is cited, on the engines of the head together and on each engine. */
export interface Competitors {
  readonly surfaces: Surfaces;
  readonly subjects: readonly ShareRow[];
  readonly engines: ReadonlyArray<{ readonly engine: string; readonly subjects: ShareRow[] }>;
}

/** Reads the figures of every subject, the brand first. */
export async function readCompetitors(
  source: ReportSource,
  query: CompetitorQuery,
): Promise<Competitors> {
  return toCompetitors(await readPeriodShares(source, query));
}

/** Computes the figures of every subject from counts. */
export function toCompetitors({ rowsBy, head, surfaces }: PeriodShares): Competitors {
  const byEngine = Map.groupBy(rowsBy('engine'), ({ engine }) => engine ?? '');
  const engines = [...byEngine].map(([engine, ofEngine]) => ({ engine, subjects: ofEngine }));
  return {
    surfaces: surfaces(),
    subjects: rowsBy('total', { surface: head }),
    engines: engines.toSorted((left, right) => (left.engine < right.engine ? -1 : 1)),
  };
}
