import { surfaceOf } from '@overheard/contract';
import type { Surface } from '@overheard/contract';
import { countCited } from '../../storage/counts/packed-counts.ts';
import { pooledRatio, promptInterval, roundFigure } from '../../values/statistics/estimate.ts';
import type { RunCounts } from '../../storage/counts/run-counts.ts';
import { createNumbering } from './numbering.ts';
import { increase } from './tally.ts';
import { windowsOf } from './windows.ts';
import type { Period } from './windows.ts';

/** A rate over some days. */
export interface TrendBucket extends Period {
  readonly runs: number;
  /**
   * Null if nothing was counted. The ends of the interval are also null if there are too few
   * prompts.
   */
  readonly rate: number | null;
  readonly rate_low: number | null;
  readonly rate_high: number | null;
  /** Whether the bucket's last day is not over. */
  readonly isUnfinished: boolean;
}

/** How often the brand was cited over time. */
export interface Trend {
  /** Days of a bucket. The first bucket may be shorter. */
  readonly days: number;
  readonly buckets: readonly TrendBucket[];
}

/** The trend over the engines of one surface, and of each engine in its own buckets. */
export interface Trends {
  readonly total: Trend;
  readonly engines: ReadonlyArray<Trend & { readonly engine: string }>;
}

const daysChoices = [1, 7, 28] as const;
/** Buckets are chosen so that the median bucket has at least this many runs, if possible. */
const runsMin = 30;

/** The brand's counts of some days, by the number of the prompt. */
interface BrandCounts {
  readonly cited: number[];
  readonly runs: number[];
}

/** Collects counts for trends while they are read, and makes the trends. */
export function createTrends({
  brandId,
  isLeftOut,
}: {
  brandId: string;
  isLeftOut: (promptId: string, namesCompetitor: boolean) => boolean;
}) {
  const numbering = createNumbering();
  const engines = new Map<string, Map<string, BrandCounts>>();
  return { add, trends };

  function add(row: RunCounts): void {
    const { date, engine, names, runs, namesCompetitor } = row;
    const days = engines.get(engine) ?? new Map<string, BrandCounts>();
    engines.set(engine, days);
    const counts = days.get(date) ?? { cited: [], runs: [] };
    days.set(date, counts);
    const cited = countCited(row, brandId);
    for (const [index, number] of numbering.of(names).entries()) {
      if (isLeftOut(names.prompts[index] ?? '', namesCompetitor[index] === 1)) continue;
      increase(counts.cited, number, cited[index]);
      increase(counts.runs, number, runs[index]);
    }
  }

  function trends({ from, to }: Period, today: string, surface: Surface): Trends {
    const all = [...engines.values()];
    const ofSurface = [...engines]
      .filter(([engine]) => surfaceOf(engine) === surface)
      .map(([, days]) => days);
    const first = all.flatMap((days) => [...days.keys()]).toSorted()[0] ?? from;
    // Begin at the first answer.
    const period = { from: first > from ? first : from, to };
    const names = [...engines.keys()].toSorted();
    const total = longEnough((size) => [bucketsOf(period, { size, today, sources: ofSurface })]);
    const each = longEnough((size) =>
      names.map((name) =>
        bucketsOf(period, { size, today, sources: [engines.get(name) ?? new Map()] }),
      ),
    );
    return {
      total: { days: total.days, buckets: total.all[0] ?? [] },
      engines: each.all.map((buckets, index) => ({
        engine: names[index] ?? '',
        days: each.days,
        buckets,
      })),
    };
  }
}

/** Chooses the shortest buckets with enough runs, or else the longest. */
function longEnough(ofSize: (size: number) => TrendBucket[][]) {
  let all: TrendBucket[][] = [];
  for (const days of daysChoices) {
    all = ofSize(days);
    if (medianRuns(all.flat()) >= runsMin) return { days, all };
  }
  return { days: 28, all };
}

function medianRuns(buckets: readonly TrendBucket[]): number {
  const runs = buckets.map((bucket) => bucket.runs).toSorted((left, right) => left - right);
  return runs[Math.floor(runs.length / 2)] ?? 0;
}

function bucketsOf(
  period: Period,
  {
    size,
    today,
    sources,
  }: { size: number; today: string; sources: ReadonlyArray<ReadonlyMap<string, BrandCounts>> },
): TrendBucket[] {
  return windowsOf(period, size).map(({ from, to }): TrendBucket => {
    const sums: BrandCounts = { cited: [], runs: [] };
    for (const days of sources) {
      for (const [date, counts] of days) if (date >= from && date <= to) addUp(sums, counts);
    }
    const prompts = sums.runs.map((whole, number) => ({ part: sums.cited[number] ?? 0, whole }));
    const interval = promptInterval(prompts);
    const rate = pooledRatio(prompts);
    return {
      from,
      to,
      runs: sums.runs.reduce((total, runs) => total + runs, 0),
      rate: roundOrNull(rate),
      rate_low: roundOrNull(interval?.low),
      rate_high: roundOrNull(interval?.high),
      isUnfinished: to >= today,
    };
  });
}

function addUp(sums: BrandCounts, { cited, runs }: BrandCounts): void {
  for (let number = 0; number < runs.length; number += 1) {
    increase(sums.cited, number, cited[number]);
    increase(sums.runs, number, runs[number]);
  }
}

function roundOrNull(value: number | undefined): number | null {
  return value === undefined ? null : roundFigure(value);
}
