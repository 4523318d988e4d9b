import {
  compareAlone,
  compareRatios,
  incomparable,
  promptInterval,
  wilsonInterval,
} from '../../values/statistics/estimate.ts';
import type { Comparison, Interval, PairedPrompt } from '../../values/statistics/estimate.ts';
import type { Proportion } from '../../values/statistics/distributions.ts';
import type { GroupTally, Side, SideCount } from './tally.ts';
import type { Tracking } from './tracking.ts';

/** The figures of one subject in one group, before they are rounded. */
export interface SubjectFigures {
  readonly rate: Proportion | undefined;
  readonly rateInterval: Interval | undefined;
  readonly rateComparison: Comparison;
  readonly share: Proportion | undefined;
  readonly shareInterval: Interval | undefined;
  readonly shareComparison: Comparison;
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
  }: { tracking: Tracking; isOnePrompt: boolean; isCompared?: boolean },
): {
  /** Prompts with runs in the period itself. */
  readonly promptCount: number;
  readonly promptsCompared: number;
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
  const { isTracked, isSame, everyPlace } = tracking.of(group.judgedBy);
  const sameSubjects = everyPlace.filter(isSame);
  return { promptCount: now.length, promptsCompared: compared.length, figuresOf };

  function figuresOf(place: number): SubjectFigures {
    const rates = now.map((side): Proportion => ({
      part: side.cited[place] ?? 0,
      whole: side.runs,
    }));
    const shares = now.map((side) => shareIn(side, place, everyPlace));
    const [rate, share] = [sumOf(rates), sumOf(shares)];
    const isShared = isTracked(place) && everyPlace.filter(isTracked).length > 1 && share.whole > 0;
    return {
      rate: isTracked(place) ? rate : undefined,
      rateInterval: !isTracked(place)
        ? undefined
        : isOnePrompt
          ? wilsonInterval(rate)
          : promptInterval(rates),
      rateComparison: compare(
        isSame(place),
        pairs((side) => ({ part: side.cited[place] ?? 0, whole: side.runs })),
      ),
      share: isShared ? share : undefined,
      shareInterval: isShared ? promptInterval(shares, { wholeMin: citationsMin }) : undefined,
      shareComparison: compareShares(place),
    };
  }

  function pairs(proportion: (side: SideCount) => Proportion): PairedPrompt[] {
    return compared.map((one) => ({ before: proportion(one.before), after: proportion(one.now) }));
  }

  function compare(isSameSubject: boolean, paired: readonly PairedPrompt[]): Comparison {
    if (!isCompared || !isComparable || !isSameSubject) return incomparable;
    const [alone] = paired;
    return isOnePrompt && alone !== undefined ? compareAlone(alone) : compareRatios(paired);
  }

  function compareShares(place: number): Comparison {
    if (!isCompared || !isComparable || !isSame(place) || sameSubjects.length < 2)
      return incomparable;
    return compareRatios(pairs((side) => shareIn(side, place, sameSubjects)));
  }
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
