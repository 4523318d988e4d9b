import { surfaceOf } from '@overheard/contract';
import type { TallyOptions } from './tally.ts';
import type { Surface } from '@overheard/contract';
import { countCited } from '../../storage/counts/packed-counts.ts';
import { pooledRatio, promptInterval, roundFigure } from '../../values/statistics/estimate.ts';
import type { RunCounts } from '../../storage/counts/run-counts.ts';
import { addDays } from '../../values/time/utc-day.ts';
import type { ReportSource } from '../report-source.ts';
import { createNumbering } from './numbering.ts';
import { readPeriodShares } from './shares.ts';
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
  /** The rate of one competitor in the same buckets, without intervals. */
  readonly rival: readonly TrendBucket[];
  readonly engines: ReadonlyArray<Trend & { readonly engine: string }>;
}

const daysChoices = [1, 7, 28] as const;
/** Days of single answers are noise beside each other: a longer period is shown by week. */
const dailyDaysMax = 28;
/** Buckets are chosen so that the median bucket has at least this many runs, if possible. */
const runsMin = 30;

/** The brand's counts of some days, by the number of the prompt. */
interface BrandCounts {
  readonly cited: number[];
  readonly runs: number[];
}

/** Reads a period, and collects for trends its counts and all since `from`; undefined without any. */
export async function readSharesWithTrends(
  source: ReportSource,
  query: Parameters<typeof readPeriodShares>[1],
  from: string,
) {
  let trends: ReturnType<typeof createTrends> | undefined;
  const add = (row: RunCounts, context: Parameters<typeof createTrends>[0]) => {
    trends ??= createTrends(context);
    trends.add(row);
  };
  const period = await readPeriodShares(source, query, add, from);
  return { period, trends };
}

/** Collects counts for trends while they are read, and makes the trends. */
export function createTrends({
  brandId,
  isLeftOut,
}: {
  brandId: string;
  isLeftOut: TallyOptions['isLeftOut'];
}) {
  const numbering = createNumbering();
  const engines = new Map<string, Map<string, BrandCounts>>();
  /** For each engine and day, the answers that cite each subject. */
  const rivals = new Map<string, Map<string, Map<string, number>>>();
  return { add, trends };

  function add(row: RunCounts): void {
    const { date, engine, names, runs, marks } = row;
    const days = engines.get(engine) ?? new Map<string, BrandCounts>();
    engines.set(engine, days);
    const counts = days.get(date) ?? { cited: [], runs: [] };
    days.set(date, counts);
    const cited = countCited(row, brandId);
    for (const [index, number] of numbering.of(names).entries()) {
      if (isLeftOut(names.prompts[index] ?? '', marks[index] ?? 0)) continue;
      increase(counts.cited, number, cited[index]);
      increase(counts.runs, number, runs[index]);
    }
    addRivals(row);
  }

  function addRivals(row: RunCounts): void {
    const { date, engine, names, subjectCount, subject, cited, marks } = row;
    const days = rivals.get(engine) ?? new Map<string, Map<string, number>>();
    rivals.set(engine, days);
    const counts = days.get(date) ?? new Map<string, number>();
    days.set(date, counts);
    let at = 0;
    for (const [index, promptId] of names.prompts.entries()) {
      const end = at + (subjectCount[index] ?? 0);
      const isCounted = !isLeftOut(promptId, marks[index] ?? 0);
      for (; at < end; at += 1) {
        const id = names.subjects[subject[at] ?? 0];
        if (isCounted && id !== undefined) counts.set(id, (counts.get(id) ?? 0) + (cited[at] ?? 0));
      }
    }
  }

  /** The rate of a competitor in the buckets of the total. */
  function rivalIn(
    buckets: readonly TrendBucket[],
    { surface, rivalId }: { surface: Surface; rivalId: string },
  ): TrendBucket[] {
    const sources = [...rivals].filter(([engine]) => surfaceOf(engine) === surface);
    return buckets.map((bucket) => {
      const cited = sources
        .flatMap(([, days]) => [...days])
        .filter(([date]) => date >= bucket.from && date <= bucket.to)
        .reduce((sum, [, counts]) => sum + (counts.get(rivalId) ?? 0), 0);
      const rate = bucket.runs === 0 ? null : roundFigure(cited / bucket.runs);
      return { ...bucket, rate, rate_low: null, rate_high: null };
    });
  }

  function trends(
    { from, to }: Period,
    {
      today,
      surface,
      rivalId,
    }: { today: string; surface: Surface; rivalId?: string | null | undefined },
  ): Trends {
    const all = [...engines.values()];
    const ofSurface = [...engines]
      .filter(([engine]) => surfaceOf(engine) === surface)
      .map(([, days]) => days);
    const first = all.flatMap((days) => [...days.keys()]).toSorted()[0] ?? from;
    // Begin at the first answer.
    const period = { from: first > from ? first : from, to };
    const names = [...engines.keys()].toSorted();
    const isLong = addDays(period.from, dailyDaysMax) <= to;
    const choices = isLong ? daysChoices.slice(1) : daysChoices;
    const total = longEnough(choices, (size) => [
      bucketsOf(period, { size, today, sources: ofSurface }),
    ]);
    const each = longEnough(choices, (size) =>
      names.map((name) =>
        bucketsOf(period, { size, today, sources: [engines.get(name) ?? new Map()] }),
      ),
    );
    const ofTotal = total.all[0] ?? [];
    return {
      total: { days: total.days, buckets: ofTotal },
      rival: rivalId ? rivalIn(ofTotal, { surface, rivalId }) : [],
      engines: each.all.map((buckets, index) => ({
        engine: names[index] ?? '',
        days: each.days,
        buckets,
      })),
    };
  }
}

/** Chooses the shortest buckets with enough runs, or else the longest. */
function longEnough(choices: readonly number[], ofSize: (size: number) => TrendBucket[][]) {
  let all: TrendBucket[][] = [];
  for (const days of choices) {
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
