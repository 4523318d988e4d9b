import type { ShareGrouping, ShareRow, SubjectRow } from '@overheard/contract';
import { compareCodePoints } from '../../values/code-points.ts';
import { controlFalseDiscoveries } from '../../values/statistics/compare.ts';
import { roundFigure } from '../../values/statistics/estimate.ts';
import { roundRatio } from '../../values/statistics/share-of-voice.ts';
import type { Comparison } from '../../values/statistics/compare.ts';
import type { Proportion } from '../../values/statistics/distributions.ts';
import type { Unanswered } from './unanswered.ts';
import type { SubjectFigures } from './figures.ts';
import type { GroupTally } from './tally.ts';
import type { ReportWindow } from './windows.ts';

/** One subject in one group. */
export interface GroupSubject {
  readonly subject: SubjectRow;
  readonly place: number;
  readonly window: ReportWindow;
  readonly key: string;
  readonly group: GroupTally;
  readonly promptCount: number;
  readonly promptsCompared: number;
  readonly runsCompared: number;
  readonly notCompared: string | null;
  readonly figures: SubjectFigures;
}

/** How the rows are grouped, and what counts do not know. */
interface RowContext {
  readonly by: ShareGrouping;
  readonly textOf: (promptId: string) => string;
  /** Runs of an engine that were not answered; undefined if they were not counted. */
  readonly unanswered?: Unanswered | undefined;
  /** Runs left out because it is unknown whether their engine searched; null if that is not asked. */
  readonly searchUnknown: number | null;
}

/** A row with the probability of a change of its rate of at least this size by chance alone. */
export type JudgedRow = ReturnType<typeof toJudgedRows>[number];

/** Makes the rows, subject by subject. Archived subjects have rows if they were cited. */
export function toShareRows(...made: Parameters<typeof toJudgedRows>): ShareRow[] {
  return toJudgedRows(...made).map(({ row }) => row);
}

/** The same with what the rows leave out. */
export function toJudgedRows(
  lines: readonly GroupSubject[],
  {
    subjects,
    by,
    isMovers,
    ...context
  }: RowContext & { subjects: readonly SubjectRow[]; isMovers: boolean },
) {
  const linesOf = Map.groupBy(lines, ({ subject }) => subject.id);
  return subjects.flatMap(({ id, archived_at }) => {
    const groupLines = (linesOf.get(id) ?? []).toSorted(byGroup);
    const isCited = groupLines.some(({ group, place }) => (group.totals.cited[place] ?? 0) > 0);
    if (archived_at !== null && !isCited) return [];
    const rates = groupLines.map(({ figures }) => figures.rateComparison);
    const shares = groupLines.map(({ figures }) => figures.shareComparison);
    const judged = {
      rates: isMovers ? controlFalseDiscoveries(rates) : rates,
      shares: isMovers ? controlFalseDiscoveries(shares) : shares,
    };
    return groupLines.map((line, index) => ({
      row: toRow(line, { ...context, by, rate: judged.rates[index], share: judged.shares[index] }),
      chance: line.figures.rateComparison.chance,
    }));
  });
}

function byGroup(left: GroupSubject, right: GroupSubject): number {
  if (left.window.from !== right.window.from) return left.window.from < right.window.from ? 1 : -1;
  // Prompts without a tag come after those with one.
  if (left.key === '' || right.key === '') return left.key === '' ? 1 : -1;
  return compareCodePoints(left.key, right.key);
}

function toRow(
  { subject, place, window, key, group, figures, ...counts }: GroupSubject,
  {
    by,
    textOf,
    unanswered,
    searchUnknown,
    rate: rateComparison = figures.rateComparison,
    share: shareComparison = figures.shareComparison,
  }: RowContext & { rate: Comparison | undefined; share: Comparison | undefined },
): ShareRow {
  const { cited, named, linked, ranked, rankSum, withBrand } = group.totals;
  const { rate, rateInterval, share, shareInterval, comparedRates } = figures;
  const outcomes =
    by === 'engine' && unanswered !== undefined ? (unanswered.get(key) ?? none) : undefined;
  const rankedRuns = ranked[place] ?? 0;
  return {
    subject_id: subject.id,
    subject_type: subject.type,
    name: subject.name,
    engine: by === 'engine' ? key : null,
    prompt_id: by === 'prompt' ? key : null,
    locale: by === 'locale' ? key : null,
    from: window.from,
    to: window.to,
    runs: group.runs,
    prompts: counts.promptCount,
    cited: cited[place] ?? 0,
    named: named[place] ?? 0,
    linked: linked[place] ?? 0,
    rate: ratioOrNull(rate),
    rate_low: figure(rateInterval?.low),
    rate_high: figure(rateInterval?.high),
    sov: ratioOrNull(share),
    sov_low: figure(shareInterval?.low),
    sov_high: figure(shareInterval?.high),
    rank_mean: rankedRuns === 0 ? null : figure((rankSum[place] ?? 0) / rankedRuns),
    prompts_compared: counts.promptsCompared,
    rate_change: figure(rateComparison.change),
    rate_detectable: detectable(rateComparison),
    rate_verdict: rateComparison.verdict,
    sov_change: figure(shareComparison.change),
    sov_detectable: detectable(shareComparison),
    sov_verdict: shareComparison.verdict,
    runs_compared: counts.runsCompared,
    rate_before: ratioOrNull(comparedRates?.before),
    rate_compared: ratioOrNull(comparedRates?.now),
    mentions: figures.mentions,
    cited_without_brand: (cited[place] ?? 0) - (withBrand[place] ?? 0),
    runs_tracked: figures.runsTracked,
    prompt: by === 'prompt' ? textOf(key) : null,
    refused: outcomes?.refused ?? null,
    empty: outcomes?.empty ?? null,
    failed: outcomes?.failed ?? null,
    not_compared: counts.notCompared,
    tag: (by === 'tag' || by === 'topic') && key !== '' ? key : null,
    search_unknown: searchUnknown,
  };
}

const none = { refused: 0, empty: 0, failed: 0 };

function ratioOrNull(ratio: Proportion | undefined): number | null {
  return ratio === undefined ? null : roundRatio(ratio.part, ratio.whole);
}

function figure(value: number | undefined): number | null {
  return value === undefined ? null : roundFigure(value);
}

/** The smallest detectable change. It is at most 1, because a rate cannot change by more. */
function detectable({ detectable: value }: Comparison): number | null {
  return value === undefined ? null : Math.min(1, roundFigure(value));
}
