import type { Proportion } from '../../../values/statistics/distributions.ts';
import {
  compareAlone,
  controlFalseDiscoveries,
  dropLow,
} from '../../../values/statistics/estimate.ts';
import type { PairedPrompt } from '../../../values/statistics/estimate.ts';
import { runsMin } from './kinds.ts';
import type { EngineTallies, Gap, PromptKind } from './kinds.ts';
import { mergeTallies } from './tally.ts';
import type { Tally } from './tally.ts';

/** The tallies of one prompt in the window and in the one before. */
export interface PromptTallies {
  readonly id: string;
  readonly current: EngineTallies;
  readonly before: EngineTallies;
}

/** A prompt with its tallies. */
export interface TalliedPrompt extends PromptTallies {
  readonly text: string;
}

/** Two rates of one prompt. `after` is the later one, or that of the engine under test. */
interface Pair extends PairedPrompt {
  readonly id: string;
  readonly engines: readonly string[];
  /** Number of runs that the drop affects. */
  readonly runs: number;
}

/**
 * Finds prompts whose citation rate fell beyond chance, on all engines together or else on some
 * alone. Compares only runs of the same engine and model. Such a cohort has the same weight in both
 * periods, that of the smaller side, so that a new mix of engines never looks like a decline.
 */
export function findDeclines(prompts: readonly PromptTallies[]): ReadonlyMap<string, Gap> {
  const pooled = prompts.map(({ id, current, before }): Pair => {
    const now = mergeTallies([...current.values()]);
    const pair = sameCohorts(mergeTallies([...before.values()]), now);
    return { id, engines: [...current.keys()], runs: now.runs, ...pair };
  });
  const alone = prompts.flatMap(({ id, current, before }) =>
    [...current].map(([engine, now]): Pair => {
      const pair = sameCohorts(before.get(engine) ?? mergeTallies([]), now);
      return { id, engines: [engine], runs: now.runs, ...pair };
    }),
  );
  return new Map([
    ...gapsOf('declining', beyondChance(alone)),
    ...gapsOf('declining', beyondChance(pooled)),
  ]);
}

/**
 * Finds prompts for which some engines cite the brand less often than the other engines do, beyond
 * chance.
 */
export function findEngineGaps(prompts: readonly PromptTallies[]): ReadonlyMap<string, Gap> {
  const pairs = prompts.flatMap(({ id, current }) =>
    [...current].map(([engine, tally]): Pair => {
      const others = [...current].filter(([other]) => other !== engine);
      const before = rateOf(mergeTallies(others.map(([, other]) => other)));
      return { id, engines: [engine], runs: tally.runs, before, after: rateOf(tally) };
    }),
  );
  return gapsOf('engine gap', beyondChance(pairs));
}

/**
 * Keeps the drops beyond chance, with a false discovery rate of at most 10 % (Benjamini-Hochberg).
 */
function beyondChance(pairs: readonly Pair[]): Pair[] {
  const pairsToTest = pairs.filter(
    ({ before, after }) => before.whole >= runsMin && after.whole >= runsMin,
  );
  const alone = pairsToTest.map(compareAlone);
  const together = controlFalseDiscoveries(alone);
  return pairsToTest.filter(
    (_, index) => alone[index]?.verdict === 'down' && together[index]?.verdict === 'down',
  );
}

/** Makes one gap per prompt. The stakes of several engines are added up. */
function gapsOf(kind: PromptKind, pairs: readonly Pair[]): Map<string, Gap> {
  const gaps = [...Map.groupBy(pairs, ({ id }) => id)].map(([id, promptPairs]): [string, Gap] => {
    const sum = (runsOf: (pair: Pair) => number) =>
      promptPairs.reduce((all, one) => all + runsOf(one), 0);
    const missing = sum((pair) =>
      Math.round((shareOf(pair.before) - shareOf(pair.after)) * pair.runs),
    );
    const engines = promptPairs.flatMap((pair) => pair.engines);
    return [
      id,
      {
        kind,
        engines,
        counted: engines,
        stake: {
          share: { part: missing, whole: sum(({ runs }) => runs) },
          low: sum((pair) => dropLow(pair) * pair.runs),
          worth: 1,
        },
      },
    ];
  });
  return new Map(gaps);
}

/**
 * Pools the rates of the cohorts that both periods have. A cohort has the same weight in both: the
 * smaller of its two numbers of runs.
 */
export function sameCohorts(before: Tally, after: Tally): PairedPrompt {
  const pairs = [...after.cohorts].flatMap(([cohort, now]) => {
    const then = before.cohorts.get(cohort);
    if (then === undefined) return [];
    const whole = Math.min(now.whole, then.whole);
    return [{ before: scaleRate(then, whole), after: scaleRate(now, whole), whole }];
  });
  const whole = pairs.reduce((sum, pair) => sum + pair.whole, 0);
  const sum = (side: 'before' | 'after'): Proportion => ({
    part: Math.round(pairs.reduce((total, pair) => total + pair[side], 0)),
    whole,
  });
  return { before: sum('before'), after: sum('after') };
}

function scaleRate(rate: Proportion, whole: number): number {
  return shareOf(rate) * whole;
}

/** The citation rate of some runs. */
export function rateOf({ cited, runs }: Tally): Proportion {
  return { part: cited, whole: runs };
}

function shareOf({ part, whole }: Proportion): number {
  return whole === 0 ? 0 : part / whole;
}
