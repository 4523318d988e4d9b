/**
 * The rows of `shares`, worked out from answers with nothing but arrays: for each subject and group
 * the runs are filtered and counted again. The formulas are those of docs/methodology.md, written
 * again.
 */
import { studentQuantile } from '../../src/values/statistics/distributions.ts';
import type { ShareRow, SubjectRow } from '@overheard/contract';

/** What is known of a run: `answers` says as much. */
export interface OracleRun {
  readonly prompt_id: string;
  readonly engine: string;
  readonly locale: string;
  readonly cohort: string;
  readonly run_at: string;
  readonly outcome: string;
  readonly branded: boolean;
  readonly names_competitor: boolean;
  readonly cited: ReadonlyArray<{
    readonly subject_id: string;
    readonly how: 'named' | 'linked' | 'both';
    readonly rank: number | null;
  }>;
}

export interface OracleQuery {
  readonly by: 'total' | 'engine' | 'prompt' | 'locale' | 'day' | 'week';
  readonly from: string;
  readonly to: string;
  readonly excludesCompetitorPrompts?: boolean;
  /** 97.5 % quantiles of Student's t by degrees of freedom: a test has a table of its own. */
}

type Figures = Pick<
  ShareRow,
  | 'runs'
  | 'prompts'
  | 'cited'
  | 'named'
  | 'linked'
  | 'rate'
  | 'rate_low'
  | 'rate_high'
  | 'sov'
  | 'sov_low'
  | 'sov_high'
  | 'rank_mean'
  | 'prompts_compared'
  | 'rate_change'
  | 'rate_detectable'
  | 'sov_change'
  | 'runs_compared'
  | 'rate_before'
  | 'rate_compared'
  | 'mentions'
  | 'cited_without_brand'
  | 'runs_tracked'
  | 'refused'
  | 'empty'
  | 'failed'
>;

export type OracleRow = Figures &
  Pick<ShareRow, 'subject_id' | 'engine' | 'prompt_id' | 'locale' | 'from' | 'to'>;

/** A prompt's part and whole. */
type Sums = ReadonlyArray<readonly [part: number, whole: number]>;

const dayMs = 86_400_000;

/** The rows of the live subjects, all of which judged all runs. */
export function expectedShares(
  all: readonly OracleRun[],
  subjects: ReadonlyArray<Pick<SubjectRow, 'id'>>,
  query: OracleQuery,
): OracleRow[] {
  const unbranded = all.filter(
    (run) => !run.branded && !(query.excludesCompetitorPrompts === true && run.names_competitor),
  );
  const counted = unbranded.filter(({ outcome }) => outcome === 'answered');
  const brand = subjects[0]?.id ?? '';
  return subjects.flatMap(({ id }) =>
    periods(query).flatMap(({ from, to }) => {
      const length = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
      const now = between(counted, from, to);
      const before = between(counted, shift(from, -length), shift(from, -1));
      const keys = [...new Set(now.map((run) => keyOf(run, query.by)))].toSorted();
      return keys.map((key) => {
        const inGroup = (run: OracleRun) => keyOf(run, query.by) === key;
        return {
          subject_id: id,
          engine: query.by === 'engine' ? key : null,
          prompt_id: query.by === 'prompt' ? key : null,
          locale: query.by === 'locale' ? key : null,
          from,
          to,
          ...figures(now.filter(inGroup), before.filter(inGroup), id, query),
          cited_without_brand: now.filter(
            (run) => inGroup(run) && cites(run, id) && !cites(run, brand),
          ).length,
          ...outcomes(between(unbranded, from, to).filter(inGroup), query),
        };
      });
    }),
  );
}

function figures(
  now: readonly OracleRun[],
  before: readonly OracleRun[],
  id: string,
  { by }: OracleQuery,
): Omit<Figures, 'cited_without_brand' | keyof ReturnType<typeof outcomes>> {
  const citing = now.flatMap((run) => run.cited.filter((one) => one.subject_id === id));
  const ranks = now
    .filter(({ run_at: at }) => at >= '2026-09-26')
    .flatMap((run) => run.cited.filter((one) => one.subject_id === id))
    .flatMap(({ rank }) => (rank === null ? [] : [rank]));
  const prompts = [...new Set(now.map((run) => run.prompt_id))];
  const rates = prompts.map((prompt) => rateOf(ofPrompt(now, prompt), id));
  const shares = prompts.map((prompt) => shareOf(ofPrompt(now, prompt), id));
  const [citations, everybody] = [sum(shares, 0), sum(shares, 1)];
  const rateEnds =
    by === 'prompt' ? wilson(citing.length, now.length, 1.959963984540054) : ends(rates, 1);
  const shareEnds = ends(shares, 10);
  const pairs = prompts
    .map((prompt) => {
      const [mine, theirs] = [ofPrompt(now, prompt), ofPrompt(before, prompt)];
      const shared = (run: OracleRun, others: readonly OracleRun[]) =>
        others.some((other) => other.cohort === run.cohort);
      return {
        now: mine.filter((run) => shared(run, theirs)),
        before: theirs.filter((run) => shared(run, mine)),
      };
    })
    .filter((pair) => pair.now.length > 0);
  const inBoth = prompts.filter((prompt) => ofPrompt(before, prompt).length > 0).length;
  const needed = by === 'prompt' ? 1 : 10;
  const areComparable = pairs.length >= needed || inBoth < needed;
  const rate = change(pairs.map((pair) => [rateOf(pair.now, id), rateOf(pair.before, id)]));
  const share = change(pairs.map((pair) => [shareOf(pair.now, id), shareOf(pair.before, id)]));
  const isFew = pairs.length < 10 || rate === undefined || rate.error === 0;
  return {
    runs: now.length,
    prompts: prompts.length,
    cited: citing.length,
    named: citing.filter(({ how }) => how !== 'linked').length,
    linked: citing.filter(({ how }) => how !== 'named').length,
    rate: round(citing.length / now.length),
    rate_low: round(rateEnds?.[0]),
    rate_high: round(rateEnds?.[1]),
    sov: everybody === 0 ? null : round(citations / everybody),
    sov_low: everybody === 0 ? null : round(shareEnds?.[0]),
    sov_high: everybody === 0 ? null : round(shareEnds?.[1]),
    rank_mean: ranks.length === 0 ? null : round(ranks.reduce((a, b) => a + b) / ranks.length),
    prompts_compared: pairs.length,
    rate_change: areComparable ? round(rate?.change) : null,
    rate_detectable:
      by === 'prompt'
        ? alone(pairs, id)
        : isFew
          ? null
          : round((studentQuantile(pairs.length - 1) + 0.84) * rate.error),
    sov_change: areComparable ? round(share?.change) : null,
    runs_compared: pairs.reduce((total, pair) => total + pair.now.length, 0),
    rate_before: areComparable
      ? pooled(
          pairs.flatMap((pair) => pair.before),
          id,
        )
      : null,
    rate_compared: areComparable
      ? pooled(
          pairs.flatMap((pair) => pair.now),
          id,
        )
      : null,
    mentions: everybody,
    runs_tracked: now.length,
  };
}

function outcomes(runs: readonly OracleRun[], { by }: OracleQuery) {
  const count = (outcome: string) =>
    by === 'engine' ? runs.filter((run) => run.outcome === outcome).length : null;
  return { refused: count('refused'), empty: count('empty'), failed: count('failed') };
}

function cites({ cited }: OracleRun, id: string): boolean {
  return cited.some((one) => one.subject_id === id);
}

function pooled(runs: readonly OracleRun[], id: string): number | null {
  return runs.length === 0 ? null : round(rateOf(runs, id)[0] / runs.length);
}

/** What one prompt alone can show: independent runs. */
function alone(
  pairs: ReadonlyArray<{
    readonly now: readonly OracleRun[];
    readonly before: readonly OracleRun[];
  }>,
  id: string,
): number | null {
  const [pair] = pairs;
  if (pair === undefined) return null;
  const [[b1, t1], [b0, t0]] = [rateOf(pair.now, id), rateOf(pair.before, id)];
  const rate = (b1 + b0) / (t1 + t0);
  const error = Math.sqrt(rate * (1 - rate) * (1 / t1 + 1 / t0));
  return error === 0 ? null : round(Math.min(1, (1.959963984540054 + 0.84) * error));
}

/** The ends of the clustered interval, by the formulas as the documentation has them. */
function ends(all: Sums, wholeMin: number): readonly [number, number] | undefined {
  const sums = all.filter(([, whole]) => whole > 0);
  const [part, whole] = [sum(sums, 0), sum(sums, 1)];
  const prompts = sums.length;
  if (prompts < 5 || whole < wholeMin) return undefined;
  const ratio = part / whole;
  const squares = sums.map(([b, t]) => (b - ratio * t) ** 2).reduce((a, b) => a + b, 0);
  const variance = ((prompts / (prompts - 1)) * squares) / whole ** 2;
  const m = sums.map(([, t]) => t ** 2).reduce((a, b) => a + b, 0) / whole;
  const isPlain = ratio > 0 && ratio < 1 && m > 1;
  const raw = isPlain ? ((variance * whole) / (ratio * (1 - ratio)) - 1) / (m - 1) : 0;
  const rho = Math.max(0, Math.min(1, raw));
  const j = Math.min(sums.filter(([b]) => b > 0).length, sums.filter(([b, t]) => b < t).length);
  const size = whole / (1 + (m - 1) * ((j ** 2 * rho + 4) / (j ** 2 + 8)));
  return wilson(ratio * size, size, studentQuantile(m === 1 ? prompts - 1 : j + 3));
}

function wilson(part: number, size: number, z: number): readonly [number, number] {
  const ratio = part / size;
  const middle = (ratio + z ** 2 / (2 * size)) / (1 + z ** 2 / size);
  const half =
    (z / (1 + z ** 2 / size)) * Math.sqrt((ratio * (1 - ratio)) / size + z ** 2 / (4 * size ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

function change(
  pairs: ReadonlyArray<readonly [Sums[number], Sums[number]]>,
): { change: number; error: number } | undefined {
  const kept = pairs.filter(([now, before]) => now[1] + before[1] > 0);
  const [now, before] = [kept.map(([one]) => one), kept.map(([, one]) => one)];
  const [wholeNow, wholeBefore] = [sum(now, 1), sum(before, 1)];
  if (wholeNow === 0 || wholeBefore === 0) return undefined;
  const [later, earlier] = [sum(now, 0) / wholeNow, sum(before, 0) / wholeBefore];
  const squares = kept
    .map(([[b1, t1], [b0, t0]]) => (b1 - later * t1) / wholeNow - (b0 - earlier * t0) / wholeBefore)
    .map((difference) => difference ** 2)
    .reduce((a, b) => a + b, 0);
  const error = squares < 1e-20 ? 0 : Math.sqrt((kept.length / (kept.length - 1)) * squares);
  return { change: later - earlier, error };
}

function periods({ by, from, to }: OracleQuery): Array<{ from: string; to: string }> {
  if (by !== 'day' && by !== 'week') return [{ from, to }];
  const size = by === 'day' ? 1 : 7;
  const blocks: Array<{ from: string; to: string }> = [];
  for (let last = to; last >= from; last = shift(last, -size)) {
    const first = shift(last, 1 - size);
    blocks.push({ from: first < from ? from : first, to: last });
  }
  return blocks;
}

function keyOf(run: OracleRun, by: OracleQuery['by']): string {
  if (by === 'engine') return run.engine;
  if (by === 'locale') return run.locale;
  return by === 'prompt' ? run.prompt_id : '';
}

function between(runs: readonly OracleRun[], from: string, to: string): OracleRun[] {
  return runs.filter(({ run_at: at }) => at.slice(0, 10) >= from && at.slice(0, 10) <= to);
}

function ofPrompt(runs: readonly OracleRun[], prompt: string): OracleRun[] {
  return runs.filter((run) => run.prompt_id === prompt);
}

function rateOf(runs: readonly OracleRun[], id: string): Sums[number] {
  return [runs.filter((run) => cites(run, id)).length, runs.length];
}

function shareOf(runs: readonly OracleRun[], id: string): Sums[number] {
  const cited = runs.flatMap((run) => run.cited);
  return [cited.filter((one) => one.subject_id === id).length, cited.length];
}

function sum(sums: Sums, place: 0 | 1): number {
  return sums.reduce((total, one) => total + one[place], 0);
}

function shift(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}

function round(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value * 10_000) / 10_000;
}
