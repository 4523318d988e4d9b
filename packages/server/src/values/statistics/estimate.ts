/**
 * Intervals of rates and shares of voice, and tests for change. Runs of one prompt resemble each
 * other, so everything is computed from sums per prompt, which is the cluster. See
 * docs/methodology.md. `bench/estimates.ts` simulates coverage and false verdicts.
 */
import type { ChangeVerdict } from '@overheard/contract';
import { fisherTest, studentQuantile, studentTail } from './distributions.ts';
import type { Proportion } from './distributions.ts';

/** The ends of a 95 % interval, not rounded. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** One prompt in two periods. */
export interface PairedPrompt {
  readonly before: Proportion;
  readonly after: Proportion;
}

/** A change of a ratio, not rounded. A value that cannot be computed is undefined. */
export interface Comparison {
  /** The later ratio minus the earlier one. */
  readonly change: number | undefined;
  /** The smallest change that would be detected in 80 % of cases. */
  readonly detectable: number | undefined;
  /** The probability of a change of at least this size if nothing really changed. */
  readonly chance: number | undefined;
  readonly verdict: ChangeVerdict;
}

/** The standard normal distribution's quantiles of 97.5 % and 80 %. */
const z = 1.959963984540054;
const zPower = 0.84;
const chanceMax = 0.05;
const intervalPromptsMin = 5;
const verdictPromptsMin = 10;
const falseDiscoveries = 0.1;
/** A smaller value is a rounding error of 0. */
const varianceMin = 1e-20;

/** The ratio of sums over prompts; undefined if the whole is 0. */
export function pooledRatio(prompts: readonly Proportion[]): number | undefined {
  const whole = sum(prompts, (prompt) => prompt.whole);
  return whole === 0 ? undefined : sum(prompts, (prompt) => prompt.part) / whole;
}

/**
 * The 95 % Wilson score interval of a ratio. The defaults fit independent runs, of which `whole` is
 * the number. Undefined without runs.
 * https://www.itl.nist.gov/div898/handbook/prc/section2/prc241.htm
 */
export function wilsonInterval(
  { part, whole }: Proportion,
  quantile: number = z,
): Interval | undefined {
  if (whole === 0) return undefined;
  const rate = part / whole;
  const shrink = 1 + quantile ** 2 / whole;
  const centre = (rate + quantile ** 2 / (2 * whole)) / shrink;
  const half =
    (quantile / shrink) * Math.sqrt((rate * (1 - rate)) / whole + quantile ** 2 / (4 * whole ** 2));
  // For 0 of n and n of n, set the end to exactly 0 or 1, because floating point may miss it
  // slightly.
  return { low: part === 0 ? 0 : centre - half, high: part === whole ? 1 : centre + half };
}

/**
 * The 95 % interval of a ratio for questions like these: Wilson's interval (Korn and Graubard, Survey
 * Methodology 24, 1998, 193-201) over the number of independent runs that all runs are worth (Kish, Survey
 * Sampling, 1965, 8.2). docs/decisions/intervals-over-prompts.md says why it is shrunk as it is.
 * Undefined under 5 prompts, or where the sum of wholes is below `wholeMin`.
 */
export function promptInterval(
  all: readonly Proportion[],
  { wholeMin = 1 }: { wholeMin?: number } = {},
): Interval | undefined {
  const shape = intervalShape(all);
  if (shape === undefined || shape.whole < wholeMin) return undefined;
  return intervalOf(shape, shape.effective);
}

/** What an interval over prompts rests on. */
interface IntervalShape {
  readonly ratio: number;
  readonly whole: number;
  /** Prompts with runs. */
  readonly count: number;
  /** Runs of the prompt that an average run belongs to. */
  readonly size: number;
  /** How much the runs of a prompt resemble each other, shrunk. */
  readonly correlation: number;
  /** The independent runs that all runs are worth. */
  readonly effective: number;
  readonly freedom: number;
}

/** Undefined under 5 prompts. */
export function intervalShape(all: readonly Proportion[]): IntervalShape | undefined {
  const prompts = all.filter(({ whole }) => whole > 0);
  const whole = sum(prompts, (prompt) => prompt.whole);
  const ratio = pooledRatio(prompts);
  const count = prompts.length;
  if (ratio === undefined || count < intervalPromptsMin) return undefined;
  const size = clusterSize(prompts);
  const varied = variedPrompts(prompts);
  const known = varied ** 2;
  // With few prompts that vary, lean towards a correlation of one half.
  const correlation = (known * (promptCorrelation(prompts) ?? 0) + 4) / (known + 8);
  const effective = whole / (1 + (size - 1) * correlation);
  const freedom = size === 1 ? count - 1 : varied + 3;
  return { ratio, whole, count, size, correlation, effective, freedom };
}

/** The interval if all runs were worth so many independent ones. */
export function intervalOf(
  { ratio, freedom }: Pick<IntervalShape, 'ratio' | 'freedom'>,
  effective: number,
): Interval | undefined {
  const part = ratio === 1 ? effective : ratio * effective;
  return wilsonInterval({ part, whole: effective }, studentQuantile(freedom));
}

/**
 * How much the runs of one prompt resemble each other, from 0 to 1: the correlation that explains the
 * variance of a ratio between prompts (Cochran, Sampling Techniques, 1977, 9A.1). Undefined if each prompt
 * has one run, or if nothing varies.
 */
export function promptCorrelation(all: readonly Proportion[]): number | undefined {
  const prompts = all.filter(({ whole }) => whole > 0);
  const count = prompts.length;
  const whole = sum(prompts, (prompt) => prompt.whole);
  const ratio = pooledRatio(prompts);
  const size = clusterSize(prompts);
  if (ratio === undefined || ratio === 0 || ratio === 1 || count < 2 || size === 1)
    return undefined;
  const squares = sum(prompts, (prompt) => (prompt.part - ratio * prompt.whole) ** 2);
  const variance = ((count / (count - 1)) * squares) / whole ** 2;
  const effect = (variance * whole) / (ratio * (1 - ratio));
  return Math.min(Math.max((effect - 1) / (size - 1), 0), 1);
}

/** The size of the prompt that an average run belongs to. */
function clusterSize(prompts: readonly Proportion[]): number {
  return sum(prompts, ({ whole }) => whole ** 2) / sum(prompts, ({ whole }) => whole);
}

/** How many prompts show that they vary: those with some, or those without all, whichever are fewer. */
function variedPrompts(prompts: readonly Proportion[]): number {
  return Math.min(
    prompts.filter(({ part }) => part > 0).length,
    prompts.filter(({ part, whole }) => part < whole).length,
  );
}

/**
 * The variance between runs of the same prompt: the mean over the prompts. Undefined under 5
 * prompts with two or more runs, or if no prompt's runs differ.
 */
export function varianceWithin(all: readonly Proportion[]): number | undefined {
  const prompts = all.filter(({ whole }) => whole >= 2);
  if (prompts.length < intervalPromptsMin) return undefined;
  const variances = sum(
    prompts,
    ({ part, whole }) => (part * (whole - part)) / whole / (whole - 1),
  );
  return variances < varianceMin ? undefined : variances / prompts.length;
}

/**
 * The assumed variance between runs of a prompt without data: for a brand in 25 % of answers, with
 * a correlation of 0.15 between runs of a prompt. Measured correlations are 0.03 to 0.17 for
 * wordings of one question, and 0.77 to 0.9 for different questions. A low one makes the interval
 * wide.
 */
export const usualVarianceWithin: number = 0.25 * 0.75 * (1 - 0.15);

/** Half of the 95 % interval of a rate for these same prompts, asked `runs` times in all. */
export function repeatHalfWidth(variance: number, runs: number): number | undefined {
  return runs === 0 ? undefined : z * Math.sqrt(variance / runs);
}

/**
 * Whether a ratio changed for these same questions: the difference of two ratios over the prompts
 * that both periods have, by linearisation (Woodruff, JASA 66, 1971, 411-414), against Student's t
 * with one degree of freedom less than prompts. `too_few` under 10 prompts, without variance, or if
 * a period's whole is 0.
 */
export function compareRatios(all: readonly PairedPrompt[]): Comparison {
  const prompts = all.filter(({ before, after }) => before.whole + after.whole > 0);
  const [before, after] = [prompts.map((one) => one.before), prompts.map((one) => one.after)];
  const [earlier, later] = [pooledRatio(before), pooledRatio(after)];
  if (earlier === undefined || later === undefined) return tooFew(undefined);
  const change = later - earlier;
  const count = prompts.length;
  const [wholeBefore, wholeAfter] = [before, after].map((side) => sum(side, (one) => one.whole));
  const squares = sum(prompts, (one) => {
    const now = (one.after.part - later * one.after.whole) / (wholeAfter ?? 1);
    const then = (one.before.part - earlier * one.before.whole) / (wholeBefore ?? 1);
    return (now - then) ** 2;
  });
  if (count < verdictPromptsMin || squares < varianceMin) return tooFew(change);
  const error = Math.sqrt((count / (count - 1)) * squares);
  const quantile = studentQuantile(count - 1);
  const chance = studentTail(change / error, count - 1);
  return {
    change,
    detectable: (quantile + zPower) * error,
    chance,
    verdict: verdictOf(change, Math.abs(change) > quantile * error),
  };
}

/**
 * The lower end of the interval of a drop from one rate to another, not rounded and at least 0.
 * Treats runs as independent. Method 10 of Newcombe 1998,
 * doi:10.1002/(SICI)1097-0258(19980430)17:8.
 */
export function dropLow({ before, after }: PairedPrompt): number {
  const [earlier, later] = [wilsonInterval(before), wilsonInterval(after)];
  if (earlier === undefined || later === undefined) return 0;
  const [from, to] = [before.part / before.whole, after.part / after.whole];
  return Math.max(0, from - to - Math.hypot(from - earlier.low, later.high - to));
}

/** Whether the rate of one prompt alone changed: Fisher's exact test over its runs. */
export function compareAlone({ before, after }: PairedPrompt): Comparison {
  if (before.whole === 0 || after.whole === 0) return tooFew(undefined);
  const change = after.part / after.whole - before.part / before.whole;
  const rate = (before.part + after.part) / (before.whole + after.whole);
  const error = Math.sqrt(rate * (1 - rate) * (1 / before.whole + 1 / after.whole));
  const chance = fisherTest(before, after);
  return {
    change,
    detectable: error === 0 ? undefined : (z + zPower) * error,
    chance,
    verdict: verdictOf(change, chance < chanceMax),
  };
}

/**
 * The verdicts of a list of movers. Of all that are called up or down, at most 10 % are expected to
 * be chance. Benjamini and Hochberg 1995, https://doi.org/10.1111/j.2517-6161.1995.tb02031.x
 */
export function controlFalseDiscoveries(comparisons: readonly Comparison[]): Comparison[] {
  const chances = comparisons
    .flatMap(({ chance }) => (chance === undefined ? [] : [chance]))
    .toSorted((left, right) => left - right);
  const limit = chances.findLast(
    (chance, index) => chance <= (falseDiscoveries * (index + 1)) / chances.length,
  );
  return comparisons.map((comparison) => {
    const { change, chance } = comparison;
    if (change === undefined || chance === undefined) return comparison;
    return { ...comparison, verdict: verdictOf(change, limit !== undefined && chance <= limit) };
  });
}

/** Rounds a figure to 4 decimals. */
export function roundFigure(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** The comparison of two periods that measured different things. */
export const incomparable: Comparison = { ...tooFew(undefined), verdict: 'not_comparable' };

function verdictOf(change: number, isBeyondChance: boolean): ChangeVerdict {
  if (!isBeyondChance || change === 0) return 'within_chance';
  return change > 0 ? 'up' : 'down';
}

function tooFew(change: number | undefined): Comparison {
  return { change, detectable: undefined, chance: undefined, verdict: 'too_few' };
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
