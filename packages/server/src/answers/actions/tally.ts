import type { RunEvidence } from './evidence.ts';

type Counts<Name extends string> = Readonly<Record<Name, number>>;

/**
 * One competitor over some runs: runs that cite it and not the brand, that cite it, that cite both;
 * of both, the runs in which it ranks ahead of the brand, and the sum of the ranks between them.
 */
export type RivalTally = Counts<'instead' | 'cited' | 'both' | 'ahead' | 'places'>;

/** The runs that cite a page, and the gap runs among them. */
export type PageTally = Counts<'runs' | 'gap'>;

const counts = [
  'runs',
  /** Runs that cite the brand; of them, runs that name it and runs that link to it. */
  'cited',
  'named',
  'linked',
  /** Gap runs: they cite a competitor and not the brand. */
  'gap',
  /** Citations of competitors, each competitor at most once per run. */
  'competitorCitations',
  /** Runs that link to a competitor. */
  'rivalLinked',
] as const;

/** Counted runs of one prompt on one engine, or on several. */
export type Tally = Counts<(typeof counts)[number]> & {
  readonly rivals: ReadonlyMap<string, RivalTally>;
  readonly pages: ReadonlyMap<string, PageTally>;
  /** Runs that cite the brand, out of all runs, by engine and model. */
  readonly cohorts: ReadonlyMap<string, Counts<'part' | 'whole'>>;
};

/** The tallies of a prompt by engine. */
export type EngineTallies = ReadonlyMap<string, Tally>;

export function tallyRuns(runs: readonly RunEvidence[]): Tally {
  return mergeTallies(runs.map(tallyRun));
}

/** The tallies by engine, sorted by its name. */
export function tallyEngines(runs: readonly RunEvidence[]): EngineTallies {
  const engines = [...Map.groupBy(runs, ({ engine }) => engine)];
  engines.sort(([left], [right]) => (left < right ? -1 : 1));
  return new Map(engines.map(([engine, engineRuns]) => [engine, tallyRuns(engineRuns)]));
}

/** The tally of one engine; an empty one without its runs. */
export function tallyOf(engines: EngineTallies, engine: string): Tally {
  return engines.get(engine) ?? mergeTallies([]);
}

/** All engines but one, or all, in one tally. */
export function poolEngines(engines: EngineTallies, without?: string): Tally {
  return mergeTallies([...engines].flatMap(([name, tally]) => (name === without ? [] : [tally])));
}

function tallyRun({ engine, model, brand, competitors, pages }: RunEvidence): Tally {
  const cited = Number(brand !== undefined);
  const gap = Number(brand === undefined && competitors.length > 0);
  const rivals = competitors.map(({ subjectId, rank }) => {
    const places = brand === undefined ? 0 : Math.max(0, brand.rank - rank);
    const ahead = Number(places > 0);
    return [subjectId, { instead: 1 - cited, cited: 1, both: cited, ahead, places }] as const;
  });
  return {
    runs: 1,
    cited,
    named: Number(brand?.isNamed === true),
    linked: Number(brand?.isLinked === true),
    gap,
    competitorCitations: competitors.length,
    rivalLinked: Number(competitors.some(({ isLinked }) => isLinked)),
    rivals: new Map(rivals),
    pages: new Map(pages.map((page) => [page, { runs: 1, gap }])),
    cohorts: new Map([[JSON.stringify([engine, model]), { part: cited, whole: 1 }]]),
  };
}

export function mergeTallies(all: readonly Tally[]): Tally {
  const sum = (name: (typeof counts)[number]): number =>
    all.reduce((total, tally) => total + tally[name], 0);
  return {
    runs: sum('runs'),
    cited: sum('cited'),
    named: sum('named'),
    linked: sum('linked'),
    gap: sum('gap'),
    competitorCitations: sum('competitorCitations'),
    rivalLinked: sum('rivalLinked'),
    rivals: mergeCounts(all.map(({ rivals }) => rivals)),
    pages: mergeCounts(all.map(({ pages }) => pages)),
    cohorts: mergeCounts(all.map(({ cohorts }) => cohorts)),
  };
}

function mergeCounts<Name extends string>(
  maps: ReadonlyArray<ReadonlyMap<string, Counts<Name>>>,
): Map<string, Counts<Name>> {
  const merged = new Map<string, Record<Name, number>>();
  for (const [key, value] of maps.flatMap((map) => [...map])) {
    const sum = merged.get(key);
    if (sum === undefined) merged.set(key, { ...value });
    else for (const name in sum) sum[name] += value[name];
  }
  return merged;
}
