import { studentQuantile } from '../../values/statistics/distributions.ts';
import type { Proportion } from '../../values/statistics/distributions.ts';
import {
  compareAlone,
  compareRatios,
  controlFalseDiscoveries,
} from '../../values/statistics/compare.ts';
import { dropLow } from '../../values/statistics/estimate.ts';
import type { Comparison, PairedPrompt } from '../../values/statistics/compare.ts';
import type { Gap } from './gap-kinds.ts';
import { poolEngines, tallyOf } from './tally.ts';
import type { EngineTallies, Tally } from './tally.ts';

/** Counted runs that a prompt needs in a window before it can have an action. */
export const runsMin = 5;

/** A prompt with its tallies in the window and in the one before. */
export interface TalliedPrompt {
  readonly id: string;
  readonly text: string;
  readonly current: EngineTallies;
  readonly before: EngineTallies;
}

export type DropKind = 'engine gap' | 'declining';

/** The rates to compare: of one engine, or of all together. `after` is the one that may be lower. */
type PairOf = (prompt: Pick<TalliedPrompt, 'current' | 'before'>, engine?: string) => PairedPrompt;

const pairsOf: Readonly<Record<DropKind, PairOf>> = {
  'engine gap': ({ current }, engine = '') => ({
    before: rateOf(poolEngines(current, engine)),
    after: rateOf(tallyOf(current, engine)),
  }),
  declining: ({ current, before }, engine) =>
    engine === undefined
      ? sameCohorts(poolEngines(before), poolEngines(current))
      : sameCohorts(tallyOf(before, engine), tallyOf(current, engine)),
};

type DropGap = Omit<Gap, 'kind'>;

/** The drops of single prompts, by the prompt's id. */
export interface Drops {
  readonly engineGaps: ReadonlyMap<string, DropGap>;
  readonly declines: ReadonlyMap<string, DropGap>;
}

/**
 * Finds prompts for which some engines cite the brand less often than the other engines do, or whose
 * citation rate fell since the window before, on all engines together or else on some alone: beyond
 * chance, with a false discovery rate of at most 10 % (Benjamini-Hochberg).
 */
export function findDrops(prompts: readonly TalliedPrompt[]): Drops {
  const alone = (kind: DropKind) =>
    gapsBeyondChance(
      prompts.flatMap((prompt) =>
        [...prompt.current].map(([engine, { runs }]): Pair => {
          return { id: prompt.id, engines: [engine], runs, ...pairsOf[kind](prompt, engine) };
        }),
      ),
    );
  const pooled = prompts.map((prompt): Pair => {
    const engines = [...prompt.current.keys()];
    const { runs } = poolEngines(prompt.current);
    return { id: prompt.id, engines, runs, ...pairsOf.declining(prompt) };
  });
  return {
    engineGaps: alone('engine gap'),
    declines: new Map([...alone('declining'), ...gapsBeyondChance(pooled)]),
  };
}

interface Pair extends PairedPrompt {
  readonly id: string;
  readonly engines: readonly string[];
  /** Number of runs that the drop affects. */
  readonly runs: number;
}

/** One gap per prompt. The stakes of several engines are added up. */
function gapsBeyondChance(pairs: readonly Pair[]): Map<string, DropGap> {
  const pairsToTest = pairs.filter(
    ({ before, after }) => before.whole >= runsMin && after.whole >= runsMin,
  );
  const isDown = drops(pairsToTest.map(compareAlone));
  const down = pairsToTest.filter((_, index) => isDown[index]);
  const gaps = [...Map.groupBy(down, ({ id }) => id)].map(([id, ofPrompt]) => {
    const sum = (runsOf: (pair: Pair) => number) =>
      ofPrompt.reduce((all, one) => all + runsOf(one), 0);
    const part = sum(({ before, after, runs }) =>
      Math.round((shareOf(before) - shareOf(after)) * runs),
    );
    const engines = ofPrompt.flatMap((pair) => pair.engines);
    const low = sum((pair) => dropLow(pair) * pair.runs);
    const stake = { share: { part, whole: sum(({ runs }) => runs) }, low, worth: 1 };
    return [id, { engines, counted: engines, stake }] as const;
  });
  return new Map(gaps);
}

/** One engine over all prompts that can be compared. */
export type EngineDrop = ReturnType<typeof findEngineDrops>[number];

/**
 * Finds engines that cite the brand less often, beyond chance, than the other engines do for the
 * same prompts, or than they did in the window before. The test treats each prompt as a cluster, and
 * shows differences that no single prompt has enough runs to show.
 */
export function findEngineDrops(prompts: readonly TalliedPrompt[]) {
  const engines = new Set(prompts.flatMap(({ current }) => [...current.keys()]));
  const names = [...engines].toSorted((left, right) => (left < right ? -1 : 1));
  return (['engine gap', 'declining'] as const).flatMap((kind) => {
    const candidates = names.map((engine) => {
      const paired = prompts.flatMap((prompt) => {
        const pair = pairsOf[kind](prompt, engine);
        return pair.before.whole > 0 && pair.after.whole > 0 ? [{ prompt, pair }] : [];
      });
      return { engine, paired, comparison: compareRatios(paired.map(({ pair }) => pair)) };
    });
    const isDown = drops(candidates.map(({ comparison }) => comparison));
    return candidates
      .filter((_, index) => isDown[index])
      .map(({ engine, paired, comparison }) => {
        const ofDrop = paired.map(({ prompt }) => prompt);
        const runs = ofDrop.reduce((sum, one) => sum + tallyOf(one.current, engine).runs, 0);
        const drop = -(comparison.change ?? 0);
        const low = Math.max(0, drop - marginOf(comparison, paired.length)) * runs;
        const share = { part: Math.round(drop * runs), whole: runs };
        return { kind, engine, prompts: ofDrop, stake: { share, low, worth: 1 } };
      });
  });
}

/** Whether each comparison is a drop, alone and among all. */
function drops(alone: readonly Comparison[]): boolean[] {
  const together = controlFalseDiscoveries(alone);
  return alone.map(
    ({ verdict }, index) => verdict === 'down' && together[index]?.verdict === 'down',
  );
}

/** Half of the 95 % interval of a change. */
function marginOf({ detectable = 0 }: Comparison, prompts: number): number {
  const quantile = studentQuantile(prompts - 1);
  // The smallest detectable change is (quantile + 0.84) standard errors.
  return (detectable * quantile) / (quantile + 0.84);
}

/**
 * Pools the rates of the cohorts, engine and model, that both periods have. A cohort has the same
 * weight in both, the smaller of its two numbers of runs, so that a new mix of engines never looks
 * like a decline.
 */
function sameCohorts(before: Tally, after: Tally): PairedPrompt {
  const pairs = [...after.cohorts].flatMap(([cohort, now]) => {
    const then = before.cohorts.get(cohort);
    if (then === undefined) return [];
    const whole = Math.min(now.whole, then.whole);
    return [{ before: shareOf(then) * whole, after: shareOf(now) * whole, whole }];
  });
  const whole = pairs.reduce((sum, pair) => sum + pair.whole, 0);
  const sum = (side: 'before' | 'after'): Proportion => ({
    part: Math.round(pairs.reduce((total, pair) => total + pair[side], 0)),
    whole,
  });
  return { before: sum('before'), after: sum('after') };
}

/** The citation rate of some runs. */
function rateOf({ cited, runs }: Tally): Proportion {
  return { part: cited, whole: runs };
}

function shareOf({ part, whole }: Proportion): number {
  return whole === 0 ? 0 : part / whole;
}
