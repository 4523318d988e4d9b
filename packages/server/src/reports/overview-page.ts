import { verification } from '@overheard/contract';
import type { CompetitorQuery } from './competitors.ts';
import type { ShareRow } from '@overheard/contract';
import { readCrawls } from './crawls.ts';
import { readMeasureMarks } from './measure-marks.ts';
import { readLostPrompts } from './lost.ts';
import type { DrawnLoss } from './lost.ts';
import { readImportedScores, toMoved } from './period-report.ts';
import { promptCorrelation } from '../values/statistics/estimate.ts';
import { forecastInterval } from '../values/statistics/forecast-interval.ts';
import { addDays, dayMs, utcDay } from '../values/time/utc-day.ts';
import { readAvailableData } from './available-data.ts';
import type { AvailableData } from './available-data.ts';
import { countGaps } from '../storage/gaps.ts';
import type { ReportSource } from './report-source.ts';
import type { ShareQuery } from './shares/shares.ts';
import { createTrends, readSharesWithTrends } from './shares/trend.ts';
import { readStory } from './story/story.ts';
import { windowsOf } from './shares/windows.ts';
import type { Period } from './shares/windows.ts';

/** The days and the runs of the page. */
export interface OverviewPageQuery extends CompetitorQuery, Pick<ShareQuery, 'searched'> {
  readonly today: string;
}

/** Everything that the overview shows. */
export type OverviewPage = Omit<Awaited<ReturnType<typeof readOverviewPage>>, 'lost'> & {
  readonly lost: readonly DrawnLoss[];
};

/** Reads the counts once, and computes the whole overview from them. */
export async function readOverviewPage(source: ReportSource, query: OverviewPageQuery) {
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
    /** Every subject with counted runs, the most cited first. */
    subjects,
    /** The competitor that appears most. */
    rival,
    /** The brand on each engine. */
    engines: engines.map(({ row }) => row),
    moved: toMoved(ofBrand),
    /** Prompts that can be compared with the period before. */
    comparedCount: ofBrand.filter(isCompared).length,
    lost: await readLostPrompts(source, period, ofBrand),
    promptCount: ofBrand.length,
    /** How much answers to one prompt resemble each other in citing the brand, 0 to 1, if anything varies. */
    correlation: promptCorrelation(counts),
    /** In the first week of answers: what they cannot show yet, and when they can. */
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
) {
  if (runs === undefined) return undefined;
  const days = (Date.parse(runs.to) - Date.parse(runs.from)) / dayMs + 1;
  if (days >= 7 || Date.parse(today) - Date.parse(runs.to) > dayMs) return undefined;
  /** An interval of 10 points to each side; undefined if there is none under 5 prompts. */
  const interval = forecastInterval(counts, { days, halfWidth: 0.1, daysMax: 28 });
  /** The first day on which a week can be compared with the week before. */
  const comparableFrom = utcDay(Date.parse(runs.from) + 14 * dayMs);
  return { days, interval, comparableFrom };
}

function isCompared({ rate_verdict: verdict }: ShareRow): boolean {
  return verdict !== 'too_few' && verdict !== 'not_comparable';
}

async function countRequests(source: ReportSource, period: Period, before: Period) {
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
