import type { CrawlRow, ShareRow, SourceRow, Surface } from '@overheard/contract';
import { dropLow } from '../values/statistics/estimate.ts';
import { isOfSurface } from '../storage/queries/surface-filter.ts';
import { readAvailableData } from './available-data.ts';
import { readCohortChanges } from './cohort-changes.ts';
import type { CohortChange } from './cohort-changes.ts';
import { readCrawls } from './crawls.ts';
import { toShareQuery } from './report-queries.ts';
import { readPeriodShares } from './shares/shares.ts';
import type { Surfaces } from './shares/shares.ts';
import type { GroupTally } from './shares/tally.ts';
import { countUnanswered } from './shares/unanswered.ts';
import { storyOf } from './story/story.ts';
import type { Story } from './story/story.ts';
import { windowsOf } from './shares/windows.ts';
import type { Period } from './shares/windows.ts';
import { readSourcesOfRuns } from './sources.ts';
import type { ReportSource } from './report-source.ts';

/** A prompt on which a competitor is cited more often than the brand, beyond chance. */
export interface LostPrompt {
  readonly prompt: string;
  readonly brand: ShareRow;
  readonly leader: ShareRow;
}

/** Imported scores of one engine, pooled by counts. */
export interface ScoresOfEngine {
  readonly engine: string;
  readonly days: number;
  readonly citations: number;
  readonly total_runs: number;
}

/** The figures of the answers of a period. */
export interface PeriodFigures {
  readonly story: Story;
  readonly surfaces: Surfaces;
  /** Every subject. */
  readonly subjects: readonly ShareRow[];
  /** The brand on each engine. */
  readonly engines: readonly ShareRow[];
  /** All prompts with counted runs in the period. */
  readonly prompts: readonly ShareRow[];
  /** Prompts whose rate moved beyond chance, the largest change first. */
  readonly moved: readonly ShareRow[];
  /** Prompts on which competitors lead, the largest loss first. */
  readonly lost: readonly LostPrompt[];
}

/** The figures of a period that fit on one page. */
export interface PeriodReport extends PeriodFigures {
  readonly runs: number;
  /** Sites of no subject, sorted by the runs that cite them and a competitor but not the brand. */
  readonly sources: readonly SourceRow[];
  /** Bots in the period, the most refused first. */
  readonly crawls: readonly CrawlRow[];
  readonly importedScores: readonly ScoresOfEngine[];
  /** Changes in the period and in the equal period before, with which it is compared. */
  readonly changes: readonly CohortChange[];
}

/** Reads the counts once, and computes the figures of all groupings from them. */
export async function readPeriodFigures(
  source: ReportSource,
  period: Period,
): Promise<PeriodFigures> {
  const shares = await readPeriodShares(source, toShareQuery({}, period));
  const { head } = shares;
  const total = shares.judgedBy('total', { surface: head });
  const byEngine = shares.judgedBy('engine', {
    isBrandOnly: true,
    unanswered: await countUnanswered(source, period, shares.isLeftOut),
  });
  const judged = shares.judgedBy('prompt', { surface: head });
  const byPrompt = judged.map(({ row }) => row);
  const prompts = byPrompt.filter(isBrand);
  return {
    surfaces: shares.surfaces(),
    story: storyOf(shares, {
      ...period,
      total,
      engines: byEngine,
      prompts: judged.filter(({ row }) => isBrand(row)),
      firstDay: (await readAvailableData(source)).runs?.from,
    }),
    subjects: total.map(({ row }) => row),
    engines: byEngine.map(({ row }) => row),
    prompts,
    moved: toMoved(prompts),
    lost: lostPrompts(byPrompt),
  };
}

/** Reads the figures of all reports for one period. */
export async function readPeriodReport(
  source: ReportSource,
  period: Period,
): Promise<PeriodReport> {
  const { runs, rows: sources } = await readSourcesOfRuns(source, { ...period, by: 'site' });
  const [window] = windowsOf(period, undefined);
  return {
    ...(await readPeriodFigures(source, period)),
    runs,
    sources: sources
      .filter(({ owner }) => owner === 'other')
      .toSorted((left, right) => right.gap_runs - left.gap_runs),
    crawls: (await readCrawls(source, { ...period, by: 'bot' })).toSorted(
      (left, right) => right.refused - left.refused,
    ),
    importedScores: await readImportedScores(source, period),
    changes: await readCohortChanges(source, { ...period, ...window?.before, to: period.to }),
  };
}

/** The prompts that moved beyond chance, the largest change first. */
export function toMoved(prompts: readonly ShareRow[]): ShareRow[] {
  return prompts
    .filter(({ rate_verdict: verdict }) => verdict === 'up' || verdict === 'down')
    .toSorted((left, right) => size(right) - size(left));
}

function isBrand({ subject_type: type }: ShareRow): boolean {
  return type === 'brand';
}

function size({ rate_change: change }: ShareRow): number {
  return Math.abs(change ?? 0);
}

/**
 * Whether a subject is cited more often than the brand, beyond chance. The brand itself is kept,
 * and comes first.
 */
export function isAhead({ runs, totals: { cited } }: GroupTally, place: number): boolean {
  const [after, before] = [cited[0], cited[place]].map((part = 0) => ({ part, whole: runs }));
  return (
    place === 0 || (before !== undefined && after !== undefined && dropLow({ before, after }) > 0)
  );
}

/** Sorts by the answers that the brand lost, at the lower end of the interval of the difference. */
export function lostPrompts(rows: readonly ShareRow[]): LostPrompt[] {
  return [...Map.groupBy(rows, (row) => row.prompt_id).values()]
    .flatMap((ofPrompt) => {
      const brand = ofPrompt.find(isBrand);
      const [leader] = ofPrompt
        .filter((row) => !isBrand(row) && row.rate !== null)
        .toSorted((left, right) => right.cited - left.cited);
      if (brand === undefined || leader === undefined || brand.rate === null) return [];
      const [before, after] = [leader, brand].map(({ cited, runs }) => ({
        part: cited,
        whole: runs,
      }));
      const drop = before && after ? dropLow({ before, after }) : 0;
      const { prompt } = brand;
      return drop === 0
        ? []
        : [{ lost: drop * brand.runs, shown: { prompt: prompt ?? '', brand, leader } }];
    })
    .toSorted((left, right) => right.lost - left.lost)
    .map(({ shown }) => shown);
}

/** Imported scores, pooled by engine. */
export async function readImportedScores(
  { db, workspaceId }: ReportSource,
  {
    from,
    to,
    engine: only,
    surface,
  }: Period & { readonly engine?: string | undefined; readonly surface?: Surface | undefined },
): Promise<ScoresOfEngine[]> {
  const rows = await db
    .selectFrom('scores')
    .select(['engine', 'citations', 'total_runs'])
    .where('workspace_id', '=', workspaceId)
    .where('origin', '=', 'imported')
    .where('date', '>=', from)
    .where('date', '<=', to)
    .$if(only !== undefined, (query) => query.where('engine', '=', only ?? ''))
    .$if(surface !== undefined, (query) => query.where(isOfSurface(surface)))
    .orderBy('engine')
    .execute();
  return [...Map.groupBy(rows, ({ engine }) => engine)].map(([engine, days]) => ({
    engine,
    days: days.length,
    citations: days.reduce((sum, day) => sum + day.citations, 0),
    total_runs: days.reduce((sum, day) => sum + day.total_runs, 0),
  }));
}
