import type { ShareRow, SubjectRow } from '@overheard/contract';
import { toCompetitors } from './competitors.ts';
import type { CompetitorQuery, Competitors } from './competitors.ts';
import { readPromptNames } from './known-names.ts';
import type { OwnedPage } from './owners.ts';
import type { ReportSource } from './report-source.ts';
import { readPeriodShares } from './shares/shares.ts';
import type { PeriodShares } from './shares/shares.ts';
import type { Cell } from './shares/tally.ts';
import { readCited } from './sources.ts';
import { compareSubjects } from '../values/statistics/compare.ts';
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
}

/** A site that answers cite beside the competitor. */
export interface CompetitorSite {
  readonly site: string;
  readonly owner: OwnedPage['owner'];
  /** Runs that cite the competitor and the site, and how many of them don't cite the brand. */
  readonly runs: number;
  readonly gapRuns: number;
}

/** The brand beside one competitor. */
export interface HeadToHead extends Pick<Competitors, 'surfaces'> {
  readonly competitor: SubjectRow;
  /** The figures of both subjects, the brand first, over the head's engines and on each engine. */
  readonly subjects: readonly ShareRow[];
  readonly engines: ReadonlyArray<{ readonly engine: string; readonly subjects: ShareRow[] }>;
  readonly total: PairCount;
  /** The prompts, sorted by the runs that cite only the competitor, most first. */
  readonly prompts: readonly PairedPromptRow[];
  /** The sites, most cited first. */
  readonly sites: readonly CompetitorSite[];
}

const sitesMax = 100;

/** Compares the brand with one competitor, run by run. Undefined if the workspace has no such competitor. */
export async function readHeadToHead(
  source: ReportSource,
  { competitorId, ...query }: CompetitorQuery & { readonly competitorId: string },
): Promise<HeadToHead | null> {
  const period = await readPeriodShares(source, query);
  const competitor = period.subjects.find(
    ({ id, type }) => id === competitorId && type === 'competitor',
  );
  if (competitor === undefined) return null;
  const isOne = ({ subject_id: id, subject_type: type }: ShareRow) =>
    type === 'brand' || id === competitorId;
  const { subjects, engines, surfaces } = toCompetitors(period);
  const names = await readPromptNames(source);
  const prompts = toPairs(period, { competitorId, names });
  return {
    competitor,
    surfaces,
    subjects: subjects.filter(isOne),
    engines: engines.map((one) => ({ ...one, subjects: one.subjects.filter(isOne) })),
    total: addUp(prompts),
    prompts,
    sites: await readSites(source, { ...query, surface: surfaces.head, competitorId }),
  };
}

/** Compares the brand with a competitor in the same answers of the head's engines. */
export function leadOver(
  { subjects, groupsBy, head }: PeriodShares,
  competitorId: string,
): Comparison {
  const brand = subjects.findIndex(({ type }) => type === 'brand');
  const competitor = subjects.findIndex(({ id }) => id === competitorId);
  const prompts = [...(groupsBy('total', head).get('')?.prompts.values() ?? [])];
  return compareSubjects(
    prompts.map((cells) => ({
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
  { subjects, groupsBy, head }: PeriodShares,
  {
    competitorId,
    names,
  }: { competitorId: string; names: Awaited<ReturnType<typeof readPromptNames>> },
): PairedPromptRow[] {
  const brand = subjects.findIndex(({ type }) => type === 'brand');
  const competitor = subjects.findIndex(({ id }) => id === competitorId);
  return [...groupsBy('prompt', head)]
    .filter(([promptId, { runs }]) => runs > 0 && names.has(promptId))
    .map(([promptId, { runs, totals }]) => {
      const both = totals.withBrand[competitor] ?? 0;
      const onlyBrand = (totals.cited[brand] ?? 0) - both;
      const onlyCompetitor = (totals.cited[competitor] ?? 0) - both;
      const neither = runs - both - onlyBrand - onlyCompetitor;
      const { text = '', locale = '' } = names.get(promptId) ?? {};
      return { promptId, text, locale, runs, both, onlyBrand, onlyCompetitor, neither };
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

async function readSites(
  source: ReportSource,
  query: CompetitorQuery & { readonly competitorId: string },
): Promise<CompetitorSite[]> {
  const { rows } = await readCited(source, { ...query, by: 'site' });
  return rows
    .slice(0, sitesMax)
    .map(({ site, owner, runs, gap_runs: gapRuns }) => ({ site, owner, runs, gapRuns }));
}
