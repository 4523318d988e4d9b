import type { RunEvidence } from './evidence.ts';

/** What an action of a prompt may be about, in the order in which they are tried. */
export const promptKinds = ['lost', 'absent', 'rarely cited', 'outranked', 'not linked'] as const;
export type PromptKind = (typeof promptKinds)[number];

/** A share as it was counted. */
export interface Share {
  readonly part: number;
  readonly whole: number;
}

/** The gap that a prompt shows. */
export interface Gap {
  readonly kind: PromptKind;
  /** How much the brand is missing, of 1. */
  readonly absence: Share;
}

/** Counted runs that a prompt needs in a window before anything is said about it. */
export const runsMin = 5;

/**
 * The first kind that holds for a prompt with at least `runsMin` counted runs in the window, from
 * those runs and those of the window before; undefined where none does.
 */
export function findGap(
  current: readonly RunEvidence[],
  before: readonly RunEvidence[],
): Gap | undefined {
  const tally = tallyRuns(current);
  return promptKinds
    .values()
    .map((kind) => ({ kind, absence: tests[kind](tally, before) }))
    .find((gap): gap is Gap => gap.absence !== undefined);
}

interface Tally {
  readonly runs: number;
  /** Runs that cite, name, link the brand. */
  readonly cited: number;
  readonly named: number;
  readonly linked: number;
  /** Runs that cite a competitor. */
  readonly rivalled: number;
  /** Runs that cite the competitor with the most. */
  readonly best: number;
  /** Runs that cite the brand with a competitor before it. */
  readonly outranked: number;
  readonly isRivalLinked: boolean;
}

type Test = (tally: Tally, before: readonly RunEvidence[]) => Share | undefined;

const whole: Share = { part: 1, whole: 1 };

const tests: Readonly<Record<PromptKind, Test>> = {
  lost: ({ cited }, before) => {
    const then = before.filter(({ brand }) => brand !== undefined).length;
    // One run before is no rate: it takes as many as the window itself does.
    const isKnown = before.length >= runsMin;
    return cited === 0 && isKnown && 2 * then >= before.length ? whole : undefined;
  },
  absent: ({ runs, cited, rivalled }) => (cited === 0 && 2 * rivalled >= runs ? whole : undefined),
  'rarely cited': ({ runs, cited, best }) =>
    // Where nobody is cited, nobody is ahead.
    3 * cited < runs && best > 0 && best >= 2 * cited
      ? { part: runs - cited, whole: runs }
      : undefined,
  outranked: ({ cited, outranked }) =>
    cited > 0 && 2 * outranked >= cited ? { part: outranked, whole: cited } : undefined,
  'not linked': ({ runs, named, linked, isRivalLinked }) =>
    2 * named >= runs && linked === 0 && isRivalLinked ? { part: named, whole: runs } : undefined,
};

function tallyRuns(runs: readonly RunEvidence[]): Tally {
  const count = (isCounted: (run: RunEvidence) => boolean): number => runs.filter(isCounted).length;
  return {
    runs: runs.length,
    cited: count(({ brand }) => brand !== undefined),
    named: count(({ brand }) => brand?.isNamed === true),
    linked: count(({ brand }) => brand?.isLinked === true),
    rivalled: count(({ competitors }) => competitors.length > 0),
    best: Math.max(0, ...citedRuns(runs).values()),
    outranked: count(isOutranked),
    isRivalLinked: runs.some(({ competitors }) => competitors.some(({ isLinked }) => isLinked)),
  };
}

/** Whether a run cites the brand with a competitor before it. */
export function isOutranked({ brand, competitors }: RunEvidence): boolean {
  return brand !== undefined && competitors.some(({ rank }) => rank < brand.rank);
}

/** Runs that cite each competitor, by its id. */
export function citedRuns(runs: readonly RunEvidence[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { competitors } of runs) {
    for (const { subjectId } of competitors) {
      counts.set(subjectId, (counts.get(subjectId) ?? 0) + 1);
    }
  }
  return counts;
}
