import type { ShareRow, SubjectRow } from '@overheard/contract';
import { toCompetitors } from './competitors.ts';
import type { CompetitorQuery, Competitors } from './competitors.ts';
import { readPromptNames } from './known-names.ts';
import type { OwnedPage } from './owners.ts';
import type { ReportSource } from './report-source.ts';
import type { PeriodShares } from './shares/shares.ts';
import type { Cell, GroupTally } from './shares/tally.ts';
import { readSharesWithTrends } from './shares/trend.ts';
import type { Trends } from './shares/trend.ts';
import { windowsOf } from './shares/windows.ts';
import { readCited } from './sources.ts';
import {
  compareSubjects,
  controlFalseDiscoveries,
  incomparable,
} from '../values/statistics/compare.ts';
import type { Comparison } from '../values/statistics/compare.ts';

/** Counted runs by which of the two subjects is cited. */
export interface PairCount {
  readonly runs: number;
  readonly both: number;
  readonly onlyBrand: number;
  readonly onlyCompetitor: number;
  readonly neither: number;
}

/** The runs of one prompt. */
export interface PairedPromptRow extends PairCount {
  readonly promptId: string;
  readonly text: string;
  readonly locale: string;
  /** Whether all these runs were judged for both subjects. */
  readonly isTracked: boolean;
}

/** A page that brings the competitor and not the brand. */
export interface CompetitorPage {
  readonly url: string;
  readonly site: string;
  readonly owner: OwnedPage['owner'];
  /** Runs that link the page and cite the competitor, but not the brand. */
  readonly gapRuns: number;
}

/** The brand beside one competitor. */
export interface HeadToHead extends Pick<Competitors, 'surfaces'> {
  readonly competitor: SubjectRow;
  /** The figures of both subjects, the brand first, over the head's engines and on each engine. */
  readonly subjects: readonly ShareRow[];
  readonly engines: ReadonlyArray<{
    readonly engine: string;
    readonly subjects: readonly ShareRow[];
    readonly lead: Comparison;
  }>;
  /** How far the brand leads in the same answers, also on each engine: `up` if it does, `down` if the competitor does. */
  readonly lead: Comparison;
  /** The rates of both over three times the period, if anything was counted. */
  readonly trends: Trends | undefined;
  readonly total: PairCount;
  /** The prompts, sorted by the runs that cite only the competitor, most first. */
  readonly prompts: readonly PairedPromptRow[];
  /** The pages with the most runs that cite only the competitor. */
  readonly pages: readonly CompetitorPage[];
}

const pagesMax = 3;

/** Compares the brand with one competitor, run by run. Null if the workspace has no such competitor. */
export async function readHeadToHead(
  source: ReportSource,
  {
    competitorId,
    today,
    ...query
  }: CompetitorQuery & { readonly competitorId: string; readonly today: string },
): Promise<HeadToHead | null> {
  const [window] = windowsOf(query, undefined);
  const [before] = windowsOf(window?.before ?? query, undefined);
  const charted = { from: before?.before.from ?? query.from, to: query.to };
  const { period, trends } = await readSharesWithTrends(source, query, charted.from);
  const { head, groupsBy } = period;
  const competitor = period.subjects.find(
    ({ id, type }) => id === competitorId && type === 'competitor',
  );
  if (competitor === undefined) return null;
  const isOne = ({ subject_id: id, subject_type: type }: ShareRow) =>
    type === 'brand' || id === competitorId;
  const { subjects, engines, surfaces } = toCompetitors(period);
  const leads = controlFalseDiscoveries(
    engines.map(({ engine }) => leadIn(period, groupsBy('engine').get(engine), competitorId)),
  );
  const names = await readPromptNames(source);
  const prompts = toPairs(period, { competitorId, names });
  return {
    competitor,
    surfaces,
    subjects: subjects.filter(isOne),
    engines: engines.map(({ engine, subjects: ofEngine }, place) => ({
      engine,
      subjects: ofEngine.filter(isOne),
      lead: leads[place] ?? incomparable,
    })),
    lead: leadOver(period, competitorId),
    trends: trends?.trends(charted, { today, surface: head, rivalId: competitorId }),
    total: addUp(prompts),
    prompts,
    pages: await readPages(source, { ...query, surface: head, competitorId }),
  };
}

/**
 * How far the brand leads a competitor in the same answers of the head's engines. `not_comparable` if
 * some were not judged for both: a competitor that was added later would look too weak.
 */
export function leadOver(period: PeriodShares, competitorId: string): Comparison {
  return leadIn(period, period.groupsBy('total', period.head).get(''), competitorId);
}

function leadIn(
  { subjects, isTracked }: PeriodShares,
  group: GroupTally | undefined,
  competitorId: string,
): Comparison {
  const brand = subjects.findIndex(({ type }) => type === 'brand');
  const competitor = subjects.findIndex(({ id }) => id === competitorId);
  const places = [brand, competitor];
  if (group !== undefined && !places.every((place) => isTracked(group, place))) return incomparable;
  return compareSubjects(
    [...(group?.prompts.values() ?? [])].map((cells) => ({
      ours: sumOf(cells, ({ now }) => now.cited[brand]),
      theirs: sumOf(cells, ({ now }) => now.cited[competitor]),
      whole: sumOf(cells, ({ now }) => now.runs),
    })),
  );
}

function sumOf(cells: readonly Cell[], count: (cell: Cell) => number | undefined): number {
  return cells.reduce((sum, cell) => sum + (count(cell) ?? 0), 0);
}

function toPairs(
  { subjects, groupsBy, head, isTracked: isTrackedIn }: PeriodShares,
  {
    competitorId,
    names,
  }: { competitorId: string; names: Awaited<ReturnType<typeof readPromptNames>> },
): PairedPromptRow[] {
  const brand = subjects.findIndex(({ type }) => type === 'brand');
  const competitor = subjects.findIndex(({ id }) => id === competitorId);
  return [...groupsBy('prompt', head)]
    .filter(([promptId, { runs }]) => runs > 0 && names.has(promptId))
    .map(([promptId, group]) => {
      const { runs, totals } = group;
      const both = totals.withBrand[competitor] ?? 0;
      const onlyBrand = (totals.cited[brand] ?? 0) - both;
      const onlyCompetitor = (totals.cited[competitor] ?? 0) - both;
      const neither = runs - both - onlyBrand - onlyCompetitor;
      const { text = '', locale = '' } = names.get(promptId) ?? {};
      const isTracked = [brand, competitor].every((place) => isTrackedIn(group, place));
      const counts = { runs, both, onlyBrand, onlyCompetitor, neither };
      return { promptId, text, locale, ...counts, isTracked };
    })
    .toSorted(
      (left, right) =>
        right.onlyCompetitor - left.onlyCompetitor ||
        right.runs - left.runs ||
        (left.promptId < right.promptId ? -1 : 1),
    );
}

function addUp(prompts: readonly PairCount[]): PairCount {
  const sum = (name: keyof PairCount) => prompts.reduce((total, one) => total + one[name], 0);
  return {
    runs: sum('runs'),
    both: sum('both'),
    onlyBrand: sum('onlyBrand'),
    onlyCompetitor: sum('onlyCompetitor'),
    neither: sum('neither'),
  };
}

async function readPages(
  source: ReportSource,
  query: CompetitorQuery & { readonly competitorId: string },
): Promise<CompetitorPage[]> {
  const { rows } = await readCited(source, { ...query, by: 'page' });
  return rows
    .filter(({ gap_runs: gapRuns }) => gapRuns > 0)
    .toSorted((left, right) => right.gap_runs - left.gap_runs)
    .slice(0, pagesMax)
    .map(({ url, site, owner, gap_runs: gapRuns }) => ({ url: url ?? site, site, owner, gapRuns }));
}
