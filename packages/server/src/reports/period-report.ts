import type { CrawlRow, ShareRow, SourceRow, Surface } from '@overheard/contract';
import { compareLeads } from '../values/statistics/compare.ts';
import { readPromptsOutsideMarket, readTagsByPrompt, topicIn } from '../storage/prompt-tags.ts';
import { isOfSurface } from '../storage/queries/surface-filter.ts';
import { readAvailableData } from './available-data.ts';
import { readCohortChanges } from './cohort-changes.ts';
import type { CohortChange } from './cohort-changes.ts';
import { readCrawls } from './crawls.ts';
import { toShareQuery } from './report-queries.ts';
import { readPeriodShares } from './shares/shares.ts';
import type { PeriodShares, Surfaces } from './shares/shares.ts';
import { countUnanswered } from './shares/unanswered.ts';
import { readStory } from './story/story.ts';
import type { Story } from './story/story.ts';
import { windowsOf } from './shares/windows.ts';
import type { Period } from './shares/windows.ts';
import { readSourcesOfRuns } from './sources.ts';
import type { ReportSource } from './report-source.ts';

/** A prompt on which a competitor is cited more often than the brand, beyond chance. */
export interface LostPrompt {
  readonly prompt: string;
  /** Null if it has none. */
  readonly topic: string | null;
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

/**
 * Reads the prompts on which competitors lead the brand, without those of topics outside of its market.
 * `prompts` are the brand's rows.
 */
export async function readLostPrompts(
  { db, workspaceId }: ReportSource,
  shares: PeriodShares,
  prompts: readonly ShareRow[],
): Promise<LostPrompt[]> {
  const tags = await readTagsByPrompt(db, workspaceId);
  const outside = await readPromptsOutsideMarket(db, workspaceId);
  return lostGroups(shares, 'prompt', prompts)
    .map((lost) => ({
      ...lost,
      prompt: lost.brand.prompt ?? '',
      topic: topicIn(tags.get(lost.brand.prompt_id ?? '')),
    }))
    .filter(({ brand }) => !outside.has(brand.prompt_id ?? ''));
}

/**
 * The prompts or topics on which a competitor is cited more often than the brand, the largest loss
 * first. All pairs of a group and a competitor are one list of tests, except those of which one was not
 * tracked in all runs. `ofBrand` are the brand's rows. Over the prompts of a topic the test is of these
 * same questions: it errs on the careful side where they differ.
 */
export function lostGroups(
  { rowsBy, groupsBy, subjects, head, isTracked }: PeriodShares,
  by: 'prompt' | 'topic',
  ofBrand: readonly ShareRow[],
): Array<Pick<LostPrompt, 'brand' | 'leader'>> {
  const groups = [...groupsBy(by, head).values()].filter((group) => isTracked(group, 0));
  const pairs = groups.flatMap((group) =>
    subjects.flatMap(({ type }, place) => {
      if (type === 'brand' || !isTracked(group, place)) return [];
      const { cited, withBrand } = group.totals;
      const both = withBrand[place] ?? 0;
      const onlyLeader = (cited[place] ?? 0) - both;
      return [{ group, place, onlyLeader, onlyOther: (cited[0] ?? 0) - both }];
    }),
  );
  const leads = compareLeads(pairs);
  const lost = pairs.filter((_, index) => leads[index]);
  const places = Map.groupBy(lost, ({ group }) => group);
  const rows = rowsBy(by, {
    surface: head,
    isCompared: false,
    isShown: (group, place) => places.get(group)?.some((lead) => lead.place === place) === true,
  });
  const keyOf = (row: ShareRow) => (by === 'prompt' ? row.prompt_id : row.tag);
  const leadsOf = Map.groupBy(rows, keyOf);
  return ofBrand
    .flatMap((brand) => {
      const ahead = leadsOf.get(keyOf(brand)) ?? [];
      const [leader] = ahead.toSorted((left, right) => right.cited - left.cited);
      return leader === undefined ? [] : [{ brand, leader }];
    })
    .toSorted((left, right) => lossOf(right) - lossOf(left));
}

/** The answers that cite the leader, less those that cite the brand. */
function lossOf({ brand, leader }: Pick<LostPrompt, 'brand' | 'leader'>): number {
  return leader.cited - brand.cited;
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
