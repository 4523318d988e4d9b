import { verification } from '@overheard/contract';
import type { CompetitorQuery } from './competitors.ts';
import type { ShareRow } from '@overheard/contract';
import { readCrawls } from './crawls.ts';
import { readMeasureMarks } from './measure-marks.ts';
import type { MeasureMark } from './measure-marks.ts';
import { readLostPrompts } from './lost.ts';
import type { DrawnLoss } from './lost.ts';
import { readImportedScores, toMoved } from './period-report.ts';
import type { ScoresOfEngine } from './period-report.ts';
import { promptCorrelation } from '../values/statistics/estimate.ts';
import { forecastInterval } from '../values/statistics/forecast-interval.ts';
import type { IntervalForecast } from '../values/statistics/forecast-interval.ts';
import { addDays, dayMs, utcDay } from '../values/time/utc-day.ts';
import { readAvailableData } from './available-data.ts';
import type { AvailableData } from './available-data.ts';
import { countGaps } from '../storage/gaps.ts';
import type { GapCounts } from '../storage/gaps.ts';
import type { ReportSource } from './report-source.ts';
import type { ShareQuery, Surfaces } from './shares/shares.ts';
import { createTrends, readSharesWithTrends } from './shares/trend.ts';
import type { Trends } from './shares/trend.ts';
import { readStory } from './story/story.ts';
import type { Story } from './story/story.ts';
import { windowsOf } from './shares/windows.ts';
import type { Period } from './shares/windows.ts';

/** The days and the runs of the page. */
export interface OverviewPageQuery extends CompetitorQuery, Pick<ShareQuery, 'searched'> {
  readonly today: string;
}

/** Requests of bots in the period and in the one before. */
interface RequestCounts {
  readonly requests: number;
  readonly verified: number;
  readonly spoofed: number;
  readonly unverified: number;
  readonly refused: number;
  readonly requestsBefore: number;
}

/** Everything that the overview shows. */
export interface OverviewPage {
  readonly story: Story;
  readonly before: Period;
  readonly surfaces: Surfaces;
  readonly brand: ShareRow | null;
  /** Every subject with counted runs, the most cited first. */
  readonly subjects: readonly ShareRow[];
  /** The competitor that appears most. */
  readonly rival: ShareRow | null;
  /** The brand on each engine. */
  readonly engines: readonly ShareRow[];
  readonly moved: readonly ShareRow[];
  /** Prompts that can be compared with the period before. */
  readonly comparedCount: number;
  readonly lost: readonly DrawnLoss[];
  readonly promptCount: number;
  /** How much answers to one prompt resemble each other in citing the brand, 0 to 1, if anything varies. */
  readonly correlation: number | undefined;
  readonly trends: Trends;
  readonly marks: readonly MeasureMark[];
  readonly gaps: GapCounts;
  readonly crawls: RequestCounts;
  readonly importedScores: readonly ScoresOfEngine[];
  /** In the first week of answers: what they cannot show yet, and when they can. */
  readonly firstDays:
    | {
        readonly days: number;
        /** An interval of 10 points to each side; undefined if there is none under 5 prompts. */
        readonly interval: IntervalForecast | undefined;
        /** The first day on which a week can be compared with the week before. */
        readonly comparableFrom: string;
      }
    | undefined;
  readonly available: AvailableData;
}

/** Reads the counts once, and computes the whole overview from them. */
export async function readOverviewPage(
  source: ReportSource,
  query: OverviewPageQuery,
): Promise<OverviewPage> {
  const { from, to, today, engine, surface } = query;
  const [window] = windowsOf(query, undefined);
  const before = window?.before ?? { from, to };
  const charted = { from: chartedFrom(before, from), to };
  const { period, trends } = await readSharesWithTrends(source, query, charted.from);
  const { head } = period;
  const total = period.judgedBy('total', { surface: head });
  const engines = period.judgedBy('engine', { isBrandOnly: true });
  const prompts = period.judgedBy('prompt', { isBrandOnly: true, surface: head });
  const subjects = total.map(({ row }) => row).toSorted((left, right) => right.cited - left.cited);
  const rival = subjects.find(({ subject_type: type }) => type === 'competitor') ?? null;
  const ofBrand = prompts.map(({ row }) => row);
  const counts = ofBrand.map(({ cited, runs }) => ({ part: cited, whole: runs }));
  const available = await readAvailableData(source);
  const [firstDay, lastDay] = [available.runs?.from, available.runs?.to];
  return {
    story: await readStory(source, period, {
      from,
      to,
      total,
      engines,
      prompts,
      firstDay,
      lastDay,
    }),
    before,
    surfaces: period.surfaces(),
    brand: subjects.find(({ subject_type: type }) => type === 'brand') ?? null,
    subjects,
    rival,
    engines: engines.map(({ row }) => row),
    moved: toMoved(ofBrand),
    comparedCount: ofBrand.filter(isCompared).length,
    lost: await readLostPrompts(source, period, ofBrand),
    promptCount: ofBrand.length,
    correlation: promptCorrelation(counts),
    firstDays: firstDaysOf(available, counts, today),
    trends: (trends ?? createTrends({ brandId: '', isLeftOut: () => true })).trends(charted, {
      today,
      surface: head,
      rivalId: rival?.subject_id,
    }),
    marks: await readMeasureMarks(source, { ...charted, engine }),
    gaps: await countGaps(source),
    crawls: await countRequests(source, { from, to }, before),
    importedScores: await readImportedScores(source, { from, to, engine, surface }),
    available,
  };
}

/** Charts show three times the period: it, the one before, and the one before that. */
function chartedFrom(before: Period, from: string): string {
  const days = (Date.parse(from) - Date.parse(before.from)) / dayMs;
  return addDays(before.from, -days);
}

/** Undefined once answers of a week are stored, and if none came today or yesterday. */
function firstDaysOf(
  { runs }: AvailableData,
  counts: Parameters<typeof forecastInterval>[0],
  today: string,
): OverviewPage['firstDays'] {
  if (runs === undefined) return undefined;
  const days = (Date.parse(runs.to) - Date.parse(runs.from)) / dayMs + 1;
  if (days >= 7 || Date.parse(today) - Date.parse(runs.to) > dayMs) return undefined;
  const interval = forecastInterval(counts, { days, halfWidth: 0.1, daysMax: 28 });
  const comparableFrom = utcDay(Date.parse(runs.from) + 14 * dayMs);
  return { days, interval, comparableFrom };
}

function isCompared({ rate_verdict: verdict }: ShareRow): boolean {
  return verdict !== 'too_few' && verdict !== 'not_comparable';
}

async function countRequests(
  source: ReportSource,
  period: Period,
  before: Period,
): Promise<RequestCounts> {
  const days = await readCrawls(source, { by: 'day', from: before.from, to: period.to });
  const now = days.filter(({ date }) => (date ?? '') >= period.from);
  const sum = (
    rows: typeof days,
    names: ReadonlyArray<'verified' | 'spoofed' | 'unverified' | 'refused'>,
  ) => rows.reduce((total, row) => names.reduce((each, name) => each + row[name], total), 0);
  const all = verification.options;
  return {
    requests: sum(now, all),
    verified: sum(now, ['verified']),
    spoofed: sum(now, ['spoofed']),
    unverified: sum(now, ['unverified']),
    refused: sum(now, ['refused']),
    requestsBefore: sum(days, all) - sum(now, all),
  };
}
