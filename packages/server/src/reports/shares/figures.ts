import { compareAlone, compareRatios, incomparable } from '../../values/statistics/compare.ts';
import { promptInterval, wilsonInterval } from '../../values/statistics/estimate.ts';
import type { Comparison, PairedPrompt } from '../../values/statistics/compare.ts';
import type { Interval } from '../../values/statistics/estimate.ts';
import type { Proportion } from '../../values/statistics/distributions.ts';
import type { Cell, GroupTally, Side, SideCount } from './tally.ts';
import type { Tracking } from './tracking.ts';

/** The figures of one subject in one group, before they are rounded. */
export interface SubjectFigures {
  readonly rate: Proportion | undefined;
  readonly rateInterval: Interval | undefined;
  readonly rateComparison: Comparison;
  /** The rates behind the change; undefined if there is none. */
  readonly comparedRates: Readonly<Record<Side, Proportion>> | undefined;
  readonly share: Proportion | undefined;
  readonly shareInterval: Interval | undefined;
  readonly shareComparison: Comparison;
  /** The citations of all subjects. */
  readonly mentions: number;
  /** Runs that were judged for this subject. */
  readonly runsTracked: number;
}

/** A share of voice needs this many citations for an interval. */
const citationsMin = 10;
/** A verdict needs this many prompts, as in `compareRatios`. */
const promptsMin = 10;

/** Makes the function that works out the figures of each subject of a group. */
export function createFigures(
  group: GroupTally,
  {
    tracking,
    isOnePrompt,
    isCompared = true,
    isAgainstApi = false,
  }: {
    tracking: Tracking;
    isOnePrompt: boolean;
    isCompared?: boolean;
    isAgainstApi?: boolean | undefined;
  },
): {
  /** Prompts with runs in the period itself. */
  readonly promptCount: number;
  readonly promptsCompared: number;
  readonly runsCompared: number;
  readonly notCompared: string | null;
  readonly figuresOf: (place: number) => SubjectFigures;
} {
  const cells = [...group.prompts.values()];
  const now = cells.map((ofPrompt) => addUp(ofPrompt, 'now')).filter(({ runs }) => runs > 0);
  const inBoth = cells.filter((ofPrompt) =>
    hasBoth(addUp(ofPrompt, 'before'), addUp(ofPrompt, 'now')),
  );
  // Compare only runs of cohorts that both periods have.
  const compared = cells
    .map((ofPrompt) => ofPrompt.filter(({ before, now: later }) => hasBoth(before, later)))
    .filter((shared) => shared.length > 0)
    .map((shared) => ({ before: addUp(shared, 'before'), now: addUp(shared, 'now') }));
  const needed = isOnePrompt ? 1 : promptsMin;
  const isComparable = compared.length >= needed || inBoth.length < needed;
  const { isTracked, isSame, runsTracked, everyPlace } = tracking.of(group.judgedBy);
  const sameSubjects = everyPlace.filter(isSame);
  return {
    promptCount: now.length,
    promptsCompared: compared.length,
    runsCompared: compared.reduce((sum, each) => sum + each.now.runs, 0),
    notCompared: wordNotCompared(cells, isAgainstApi ? ofSurfaces : ofPeriods),
    figuresOf,
  };

  function figuresOf(place: number): SubjectFigures {
    const rates = now.map((side): Proportion => ({
      part: side.cited[place] ?? 0,
      whole: side.runs,
    }));
    const shares = now.map((side) => shareIn(side, place, everyPlace));
    const [rate, share] = [sumOf(rates), sumOf(shares)];
    const isShared = isTracked(place) && everyPlace.filter(isTracked).length > 1 && share.whole > 0;
    const paired = pairs((side) => ({ part: side.cited[place] ?? 0, whole: side.runs }));
    const rateComparison = compare(isSame(place), paired);
    return {
      rate: isTracked(place) ? rate : undefined,
      rateInterval: !isTracked(place)
        ? undefined
        : isOnePrompt
          ? wilsonInterval(rate)
          : promptInterval(rates),
      rateComparison,
      comparedRates:
        rateComparison.change === undefined
          ? undefined
          : {
              before: sumOf(paired.map(({ before }) => before)),
              now: sumOf(paired.map(({ after }) => after)),
            },
      share: isShared ? share : undefined,
      shareInterval: isShared ? promptInterval(shares, { wholeMin: citationsMin }) : undefined,
      shareComparison: compareShares(place),
      mentions: share.whole,
      runsTracked: runsTracked(place),
    };
  }

  function pairs(proportion: (side: SideCount) => Proportion): PairedPrompt[] {
    return compared.map((one) => ({ before: proportion(one.before), after: proportion(one.now) }));
  }

  function compare(isSameSubject: boolean, paired: readonly PairedPrompt[]): Comparison {
    // Without a prompt in both periods there are too few to compare, whatever else differs.
    if (inBoth.length === 0) return compareRatios([]);
    if (!isCompared || !isComparable || !isSameSubject) return incomparable;
    const [alone] = paired;
    return isOnePrompt && alone !== undefined ? compareAlone(alone) : compareRatios(paired);
  }

  function compareShares(place: number): Comparison {
    if (inBoth.length === 0 && everyPlace.length > 1) return compareRatios([]);
    if (!isCompared || !isComparable || !isSame(place) || sameSubjects.length < 2)
      return incomparable;
    return compareRatios(pairs((side) => shareIn(side, place, sameSubjects)));
  }
}

/** Names the cells without a counterpart in the other period, by engine and reason. */
function wordNotCompared(
  cells: ReadonlyArray<readonly Cell[]>,
  words: typeof ofPeriods,
): string | null {
  const engines = enginesInBoth(cells.flat());
  const sums = new Map<string, { engine: string; reason: string; before: number; now: number }>();
  for (const ofPrompt of cells) {
    const asked = enginesInBoth(ofPrompt);
    for (const { engine, before, now } of ofPrompt) {
      if (hasBoth(before, now)) continue;
      const reason =
        words.reasons[!engines.has(engine) ? 'engine' : asked.has(engine) ? 'cohort' : 'prompt'];
      const key = `${engine} ${reason}`;
      const sum = sums.get(key) ?? { engine, reason, before: 0, now: 0 };
      sums.set(key, { ...sum, before: sum.before + before.runs, now: sum.now + now.runs });
    }
  }
  const parts = [...sums]
    .toSorted(([left, one], [right, other]) => other.now - one.now || (left < right ? -1 : 1))
    .map(
      ([, { engine, reason, before, now }]) =>
        `${engine}: ${now} ${words.now} and ${before} ${words.before} (${reason})`,
    );
  return parts.length === 0 ? null : parts.join('; ');
}

const ofPeriods = {
  now: 'now',
  before: 'before',
  reasons: {
    engine: 'engine in one period only',
    prompt: 'prompts in one period only',
    cohort: 'other model or settings',
  },
};

/** An app and its API have one cohort here. */
const ofSurfaces: typeof ofPeriods = {
  now: 'in the app',
  before: 'from the API',
  reasons: {
    ...ofPeriods.reasons,
    engine: 'only one of them was asked',
    prompt: 'prompts that only one of them was asked',
  },
};

/** The engines with runs in both periods. */
function enginesInBoth(cells: readonly Cell[]): ReadonlySet<string> {
  const on = (side: Side) =>
    new Set(cells.filter((cell) => cell[side].runs > 0).map(({ engine }) => engine));
  return on('now').intersection(on('before'));
}

function shareIn(side: SideCount, place: number, places: readonly number[]): Proportion {
  const whole = places.reduce((sum, each) => sum + (side.cited[each] ?? 0), 0);
  return { part: side.cited[place] ?? 0, whole };
}

function hasBoth(before: SideCount, now: SideCount): boolean {
  return before.runs > 0 && now.runs > 0;
}

function addUp(cells: ReadonlyArray<Record<Side, SideCount>>, side: Side): SideCount {
  const [first, ...others] = cells.map((cell) => cell[side]);
  if (first === undefined) return { runs: 0, cited: [] };
  if (others.length === 0) return first;
  const cited = first.cited.map((count, place) =>
    others.reduce((sum, other) => sum + (other.cited[place] ?? 0), count),
  );
  return { runs: others.reduce((sum, { runs }) => sum + runs, first.runs), cited };
}

function sumOf(all: readonly Proportion[]): Proportion {
  return {
    part: all.reduce((sum, { part }) => sum + part, 0),
    whole: all.reduce((sum, { whole }) => sum + whole, 0),
  };
}
