import type { CrawlRow, ShareRow, SourceRow, Surface } from '@overheard/contract';
import { isOfSurface } from '../storage/queries/surface-filter.ts';
import { readAvailableData } from './available-data.ts';
import { readCohortChanges } from './cohort-changes.ts';
import type { CohortChange } from './cohort-changes.ts';
import { readCrawls } from './crawls.ts';
import { readLostPrompts } from './lost.ts';
import type { LostPrompt } from './lost.ts';
import { toShareQuery } from './report-queries.ts';
import { readPeriodShares } from './shares/shares.ts';
import type { Surfaces } from './shares/shares.ts';
import { countUnanswered } from './shares/unanswered.ts';
import { readStory } from './story/story.ts';
import type { Story } from './story/story.ts';
import { windowsOf } from './shares/windows.ts';
import type { Period } from './shares/windows.ts';
import { readSourcesOfRuns } from './sources.ts';
import type { ReportSource } from './report-source.ts';
import { topicRows } from './topics.ts';
import type { TopicRow } from './topics.ts';

/** Imported scores of one engine, pooled by counts. */
export interface ScoresOfEngine {
  readonly engine: string;
  readonly days: number;
  readonly citations: number;
  readonly total_runs: number;
}

/** The days of a report, and the tag of its prompts if it is of one. */
export interface ReportQuery extends Period {
  readonly tag?: string | undefined;
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
  /** Topics, the lost ones first. */
  readonly topics: readonly TopicRow[];
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
  { tag, ...period }: ReportQuery,
): Promise<PeriodFigures> {
  const shares = await readPeriodShares(source, toShareQuery({ tag }, period));
  const { head } = shares;
  const total = shares.judgedBy('total', { surface: head });
  const byEngine = shares.judgedBy('engine', {
    isBrandOnly: true,
    unanswered: await countUnanswered(source, period, shares.isLeftOut),
  });
  const available = await readAvailableData(source);
  const judged = shares.judgedBy('prompt', { isBrandOnly: true, surface: head });
  const prompts = judged.map(({ row }) => row);
  return {
    surfaces: shares.surfaces(),
    story: await readStory(source, shares, {
      ...period,
      total,
      engines: byEngine,
      prompts: judged,
      firstDay: available.runs?.from,
      lastDay: available.runs?.to,
    }),
    subjects: total.map(({ row }) => row),
    engines: byEngine.map(({ row }) => row),
    prompts,
    moved: toMoved(prompts),
    lost: await readLostPrompts(source, shares, prompts),
    topics: await topicRows(source, shares, tag),
  };
}

/** Reads the figures of all reports for one period. */
export async function readPeriodReport(
  source: ReportSource,
  query: ReportQuery,
): Promise<PeriodReport> {
  const { tag, ...period } = query;
  const { runs, rows: sources } = await readSourcesOfRuns(source, { ...query, by: 'site' });
  const [window] = windowsOf(period, undefined);
  return {
    ...(await readPeriodFigures(source, query)),
    runs,
    sources: sources
      .filter(({ owner }) => owner === 'other')
      .toSorted((left, right) => right.gap_runs - left.gap_runs),
    crawls: (await readCrawls(source, { ...period, by: 'bot' })).toSorted(
      (left, right) => right.refused - left.refused,
    ),
    // Scores are of no prompt.
    importedScores: tag === undefined ? await readImportedScores(source, period) : [],
    changes: await readCohortChanges(source, { ...period, ...window?.before, to: period.to }),
  };
}

/** The prompts that moved beyond chance, the largest change first. */
export function toMoved(prompts: readonly ShareRow[]): ShareRow[] {
  return prompts
    .filter(({ rate_verdict: verdict }) => verdict === 'up' || verdict === 'down')
    .toSorted((left, right) => size(right) - size(left));
}

function size({ rate_change: change }: ShareRow): number {
  return Math.abs(change ?? 0);
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
