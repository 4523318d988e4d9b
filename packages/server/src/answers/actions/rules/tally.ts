import type { Proportion } from '../../../values/statistics/distributions.ts';
import type { RunEvidence } from './evidence.ts';

/** One competitor over some runs. */
export interface RivalTally {
  /** Runs that cite the competitor but not the brand. */
  readonly instead: number;
  readonly cited: number;
  /** Runs that cite both the competitor and the brand. */
  readonly both: number;
  /**
   * Of those that cite both, the runs in which the competitor ranks ahead of the brand, and the sum
   * of the ranks between them.
   */
  readonly ahead: number;
  readonly places: number;
}

/** Counted runs of one prompt on one engine, or on several. */
export interface Tally {
  readonly runs: number;
  /** Runs that cite the brand; of them, runs that name it and runs that link to it. */
  readonly cited: number;
  readonly named: number;
  readonly linked: number;
  /** Runs that cite a competitor. */
  readonly rivalled: number;
  /** Gap runs: they cite a competitor and not the brand. */
  readonly gap: number;
  /** Citations of competitors, each competitor at most once per run. */
  readonly competitorCitations: number;
  readonly isRivalLinked: boolean;
  readonly rivals: ReadonlyMap<string, RivalTally>;
  /** For each page, the runs that cite it and the gap runs that cite it. */
  readonly pages: ReadonlyMap<string, PageTally>;
  /** Runs that cite the brand, out of all runs, by engine and model. */
  readonly cohorts: ReadonlyMap<string, Proportion>;
}

export interface PageTally {
  readonly runs: number;
  readonly gap: number;
}

export function tallyRuns(runs: readonly RunEvidence[]): Tally {
  return mergeTallies(runs.map(tallyRun));
}

/** The tallies by engine, sorted by its name. */
export function tallyEngines(runs: readonly RunEvidence[]): ReadonlyMap<string, Tally> {
  const engines = [...Map.groupBy(runs, ({ engine }) => engine)];
  engines.sort(([left], [right]) => (left < right ? -1 : 1));
  return new Map(engines.map(([engine, engineRuns]) => [engine, tallyRuns(engineRuns)]));
}

function tallyRun({ engine, model, brand, competitors, pages }: RunEvidence): Tally {
  const isGap = brand === undefined && competitors.length > 0;
  const gap = Number(isGap);
  const rivals = competitors.map(({ subjectId, rank }): [string, RivalTally] => {
    const isAhead = brand !== undefined && rank < brand.rank;
    return [
      subjectId,
      {
        instead: Number(brand === undefined),
        cited: 1,
        both: Number(brand !== undefined),
        ahead: Number(isAhead),
        places: isAhead ? brand.rank - rank : 0,
      },
    ];
  });
  return {
    runs: 1,
    cited: Number(brand !== undefined),
    named: Number(brand?.isNamed === true),
    linked: Number(brand?.isLinked === true),
    rivalled: Number(competitors.length > 0),
    gap,
    competitorCitations: competitors.length,
    isRivalLinked: competitors.some(({ isLinked }) => isLinked),
    rivals: new Map(rivals),
    pages: new Map(pages.map((page) => [page, { runs: 1, gap }])),
    cohorts: new Map([
      [JSON.stringify([engine, model]), { part: Number(brand !== undefined), whole: 1 }],
    ]),
  };
}

export function mergeTallies(all: readonly Tally[]): Tally {
  const sum = (count: (tally: Tally) => number): number =>
    all.reduce((total, tally) => total + count(tally), 0);
  return {
    runs: sum(({ runs }) => runs),
    cited: sum(({ cited }) => cited),
    named: sum(({ named }) => named),
    linked: sum(({ linked }) => linked),
    rivalled: sum(({ rivalled }) => rivalled),
    gap: sum(({ gap }) => gap),
    competitorCitations: sum(({ competitorCitations }) => competitorCitations),
    isRivalLinked: all.some(({ isRivalLinked }) => isRivalLinked),
    rivals: mergeMaps(
      all.map(({ rivals }) => rivals),
      (left, right) => ({
        instead: left.instead + right.instead,
        cited: left.cited + right.cited,
        both: left.both + right.both,
        ahead: left.ahead + right.ahead,
        places: left.places + right.places,
      }),
    ),
    pages: mergeMaps(
      all.map(({ pages }) => pages),
      (left, right) => ({
        runs: left.runs + right.runs,
        gap: left.gap + right.gap,
      }),
    ),
    cohorts: mergeMaps(
      all.map(({ cohorts }) => cohorts),
      (left, right) => ({
        part: left.part + right.part,
        whole: left.whole + right.whole,
      }),
    ),
  };
}

function mergeMaps<Value>(
  maps: ReadonlyArray<ReadonlyMap<string, Value>>,
  add: (left: Value, right: Value) => Value,
): Map<string, Value> {
  const merged = new Map<string, Value>();
  for (const [key, value] of maps.flatMap((map) => [...map])) {
    const before = merged.get(key);
    merged.set(key, before === undefined ? value : add(before, value));
  }
  return merged;
}
