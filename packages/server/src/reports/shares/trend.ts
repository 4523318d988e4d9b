import type { Proportion } from '../../values/distributions.ts';
import { pooledRatio, promptInterval, roundFigure } from '../../values/estimate.ts';
import type { RunCounts } from '../../storage/rollups/run-counts.ts';
import { windowsOf } from './windows.ts';
import type { Period } from './windows.ts';

/** A rate over some days. */
export interface TrendBucket extends Period {
  readonly runs: number;
  /** Null where nothing was counted; so are the ends of an interval over too few prompts. */
  readonly rate: number | null;
  readonly rate_low: number | null;
  readonly rate_high: number | null;
  /** Whether its last day is not over. */
  readonly isUnfinished: boolean;
}

/** How often the brand was cited over time. */
export interface Trend {
  /** Days of a bucket, but for a first one that is cut short. */
  readonly days: number;
  readonly buckets: readonly TrendBucket[];
}

/** The trend of all engines, and of each in buckets of their own. */
export interface Trends {
  readonly total: Trend;
  readonly engines: ReadonlyArray<Trend & { readonly engine: string }>;
}

const daysChoices = [1, 7, 28] as const;
/** The median bucket has so many runs, if one of the choices is long enough. */
const runsMin = 30;

/** The brand's counts of one day and engine, by the number of the prompt. */
type DayCounts = Proportion[];

/** Collects what a trend needs while counts are read, and makes it. */
export function createTrends({
  brandId,
  isLeftOut,
}: {
  brandId: string;
  isLeftOut: (promptId: string, namesCompetitor: boolean) => boolean;
}) {
  const numbers = new Map<string, number>();
  const engines = new Map<string, Map<string, DayCounts>>();
  return { add, trends };

  function add({ date, engine, subjects, prompts }: RunCounts): void {
    const brand = subjects.indexOf(brandId);
    const days = engines.get(engine) ?? new Map<string, DayCounts>();
    engines.set(engine, days);
    const counts = days.get(date) ?? [];
    days.set(date, counts);
    for (const entry of prompts) {
      if (isLeftOut(entry[0], entry[1] === 1)) continue;
      const number = numbers.get(entry[0]) ?? numbers.size;
      numbers.set(entry[0], number);
      const part = entry[3].find((cited) => cited[0] === brand)?.[1] ?? 0;
      const known = counts[number];
      counts[number] = { part: part + (known?.part ?? 0), whole: entry[2] + (known?.whole ?? 0) };
    }
  }

  function trends({ from, to }: Period, today: string): Trends {
    const all = [...engines.values()];
    const first = all.flatMap((days) => [...days.keys()]).toSorted()[0] ?? from;
    // Before the first answer there is nothing to show.
    const period = { from: first > from ? first : from, to };
    const names = [...engines.keys()].toSorted();
    const total = longEnough((size) => [bucketsOf(period, { size, today, sources: all })]);
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

/** The shortest buckets with enough runs, else the longest. */
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
  }: { size: number; today: string; sources: ReadonlyArray<ReadonlyMap<string, DayCounts>> },
): TrendBucket[] {
  return windowsOf(period, size).map(({ from, to }): TrendBucket => {
    const sums: Array<{ part: number; whole: number }> = [];
    for (const days of sources) {
      for (const [date, counts] of days) if (date >= from && date <= to) addUp(sums, counts);
    }
    const prompts = sums.filter((sum) => sum !== undefined);
    const interval = promptInterval(prompts);
    const rate = pooledRatio(prompts);
    return {
      from,
      to,
      runs: prompts.reduce((total, { whole }) => total + whole, 0),
      rate: rounded(rate),
      rate_low: rounded(interval?.low),
      rate_high: rounded(interval?.high),
      isUnfinished: to >= today,
    };
  });
}

function addUp(sums: Array<{ part: number; whole: number }>, counts: DayCounts): void {
  for (let number = 0; number < counts.length; number += 1) {
    const count = counts[number];
    // Not every prompt ran on the day.
    if (count === undefined) continue;
    const sum = sums[number];
    if (sum === undefined) sums[number] = { part: count.part, whole: count.whole };
    else {
      sum.part += count.part;
      sum.whole += count.whole;
    }
  }
}

function rounded(value: number | undefined): number | null {
  return value === undefined ? null : roundFigure(value);
}
