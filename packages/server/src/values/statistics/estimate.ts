/**
 * Intervals of rates and shares of voice. Runs of one prompt resemble each
 * other, so everything is computed from sums per prompt, which is the cluster. See
 * docs/methodology.md. `bench/estimates.ts` simulates coverage and false verdicts.
 */
import { studentQuantile } from './distributions.ts';
import type { Proportion } from './distributions.ts';

/** The ends of a 95 % interval, not rounded. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The standard normal distribution's quantile of 97.5 %. */
export const z = 1.959963984540054;
const intervalPromptsMin = 5;
/** A smaller value is a rounding error of 0. */
export const varianceMin = 1e-20;

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
 * The lower end of the interval of a drop from one rate to another, not rounded and at least 0.
 * Treats runs as independent. Method 10 of Newcombe 1998,
 * doi:10.1002/(SICI)1097-0258(19980430)17:8.
 */
export function dropLow({
  before,
  after,
}: {
  readonly before: Proportion;
  readonly after: Proportion;
}): number {
  const [earlier, later] = [wilsonInterval(before), wilsonInterval(after)];
  if (earlier === undefined || later === undefined) return 0;
  const [from, to] = [before.part / before.whole, after.part / after.whole];
  return Math.max(0, from - to - Math.hypot(from - earlier.low, later.high - to));
}

/** Rounds a figure to 4 decimals. */
export function roundFigure(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** The sum of a value over items. */
export function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
