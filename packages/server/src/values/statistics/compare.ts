/**
 * Tests for change and for a lead, over sums per prompt, because runs of one prompt resemble each
 * other. See docs/methodology.md. `bench/estimates.ts` simulates false verdicts.
 */
import type { ChangeVerdict } from '@overheard/contract';
import { fisherTest, signTest, studentQuantile, studentTail } from './distributions.ts';
import type { Proportion } from './distributions.ts';
import { pooledRatio, sum, varianceMin, z } from './estimate.ts';

/** One prompt in two periods. */
export interface PairedPrompt {
  readonly before: Proportion;
  readonly after: Proportion;
}

/** The runs of one prompt, and in how many of them each of two subjects is cited. */
export interface SharedPrompt {
  readonly ours: number;
  readonly theirs: number;
  readonly whole: number;
}

/** The runs of one prompt that cite only one of two subjects. */
export interface SplitRuns {
  readonly onlyLeader: number;
  readonly onlyOther: number;
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

/** The standard normal distribution's quantile of 80 %. */
const zPower = 0.84;
const chanceMax = 0.05;
const verdictPromptsMin = 10;
const falseDiscoveries = 0.1;

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
  const [wholeBefore, wholeAfter] = [before, after].map((side) => sum(side, (one) => one.whole));
  const squares = sum(prompts, (one) => {
    const now = (one.after.part - later * one.after.whole) / (wholeAfter ?? 1);
    const then = (one.before.part - earlier * one.before.whole) / (wholeBefore ?? 1);
    return (now - then) ** 2;
  });
  return testDifference(later - earlier, { count: prompts.length, squares });
}

/**
 * Whether one subject is cited in more of the same answers than another: the difference of their
 * ratios, ours minus theirs, paired by prompt, with the error and the test of `compareRatios`.
 * `up` if ours leads, `down` if theirs does, `within_chance` if it may be either.
 */
export function compareSubjects(all: readonly SharedPrompt[]): Comparison {
  const prompts = all.filter(({ whole }) => whole > 0);
  const whole = sum(prompts, (prompt) => prompt.whole);
  if (whole === 0) return tooFew(undefined);
  const lead = sum(prompts, ({ ours, theirs }) => ours - theirs) / whole;
  const squares = sum(prompts, (one) => ((one.ours - one.theirs - lead * one.whole) / whole) ** 2);
  return testDifference(lead, { count: prompts.length, squares });
}

/** Tests a difference against Student's t. `squares` is the sum of the prompts' squared deviations. */
function testDifference(
  change: number,
  { count, squares }: { count: number; squares: number },
): Comparison {
  if (count < verdictPromptsMin || squares < varianceMin) return tooFew(change);
  const error = Math.sqrt((count / (count - 1)) * squares);
  const quantile = studentQuantile(count - 1);
  return {
    change,
    detectable: (quantile + zPower) * error,
    chance: studentTail(change / error, count - 1),
    verdict: verdictOf(change, Math.abs(change) > quantile * error),
  };
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
  const limit = discoveryLimit(comparisons.map(({ chance }) => chance));
  return comparisons.map((comparison) => {
    const { change, chance } = comparison;
    if (change === undefined || chance === undefined) return comparison;
    return { ...comparison, verdict: verdictOf(change, chance <= limit) };
  });
}

/** The largest chance that is still a discovery, or -1 if none is. */
function discoveryLimit(all: ReadonlyArray<number | undefined>): number {
  const chances = all
    .filter((chance) => chance !== undefined)
    .toSorted((left, right) => left - right);
  const limit = chances.findLast(
    (chance, index) => chance <= (falseDiscoveries * (index + 1)) / chances.length,
  );
  return limit ?? -1;
}

/**
 * On which prompts of a list one subject leads another: the sign test over the runs that cite only
 * one of the two (McNemar's exact test, https://doi.org/10.1007/BF02295996), because both are counted
 * in the same runs. Of those that lead, at most 10 % are expected to be chance. Prompts without such
 * runs can show no lead, so they count for nothing.
 */
export function compareLeads(all: readonly SplitRuns[]): boolean[] {
  const chances = all.map(({ onlyLeader, onlyOther }) =>
    onlyLeader + onlyOther === 0 ? undefined : signTest(onlyLeader, onlyOther),
  );
  const limit = discoveryLimit(chances);
  return chances.map((chance) => chance !== undefined && chance <= limit);
}

/**
 * Which of a family of comparisons are sure: with a chance of `level` at most is even one of them
 * wrong. Holm 1979, Scandinavian Journal of Statistics 6, 65-70. A chance that could not be computed
 * is not counted.
 */
export function holmSure(
  chances: ReadonlyArray<number | undefined>,
  level: number,
): readonly boolean[] {
  const known = chances
    .filter((chance) => chance !== undefined)
    .toSorted((left, right) => left - right);
  const failed = known.findIndex((chance, index) => chance > level / (known.length - index));
  const limit = failed === -1 ? Infinity : (known[failed] ?? 0);
  return chances.map((chance) => chance !== undefined && chance < limit);
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
