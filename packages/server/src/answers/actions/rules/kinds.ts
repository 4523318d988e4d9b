import { wilsonInterval } from '../../../values/statistics/estimate.ts';
import type { Proportion } from '../../../values/statistics/distributions.ts';
import { mergeTallies } from './tally.ts';
import type { Tally } from './tally.ts';

/** What an action of one prompt may be about. */
export type PromptKind =
  | 'lost'
  | 'absent'
  | 'rarely cited'
  | 'engine gap'
  | 'declining'
  | 'not named'
  | 'outranked'
  | 'not linked';

/** Counted runs that a prompt needs in a window before it can have an action. */
export const runsMin = 5;
/** Runs that must cite the brand before its rank or its links are judged. */
const citingMin = 5;
/** Runs that must cite a competitor before its lead is judged. */
const rivalRunsMin = 3;

/**
 * What could be won back: a share of runs, its 95 % lower bound in runs, and the worth of one run.
 */
export interface Stake {
  readonly share: Proportion;
  readonly low: number;
  readonly worth: number;
}

/** A gap that one prompt shows on some engines. */
export interface Gap {
  readonly kind: PromptKind;
  /** The engines that show the gap. The recommendation names them. */
  readonly engines: readonly string[];
  /** The engines whose runs the stake counts. */
  readonly counted: readonly string[];
  readonly stake: Stake;
}

/** The tallies of a prompt by engine. */
export type EngineTallies = ReadonlyMap<string, Tally>;

/** The lower bound of a share, in runs, as a stake. */
export function stakeOf(share: Proportion, worth = 1): Stake {
  return { share, low: (wilsonInterval(share)?.low ?? 0) * share.whole, worth };
}

/**
 * Finds whether the brand is almost never cited, over all engines together. Returns the gap of the
 * first rule that matches. `before` has the runs of the window before.
 */
export function findAbsence(engines: EngineTallies, before: Tally): Gap | undefined {
  const all = mergeTallies([...engines.values()]);
  const kind = absenceOf(all, before);
  if (kind === undefined) return undefined;
  const share = { part: kind === 'lost' ? all.runs - all.cited : all.gap, whole: all.runs };
  const fits = (tally: Tally): boolean => 3 * tally.cited < tally.runs;
  return {
    kind,
    engines: findEngines(engines, fits),
    counted: [...engines.keys()],
    stake: stakeOf(share),
  };
}

function absenceOf(now: Tally, before: Tally): PromptKind | undefined {
  const isKnown = before.runs >= runsMin;
  if (now.cited === 0 && isKnown && 2 * before.cited >= before.runs) return 'lost';
  if (now.cited === 0 && now.gap >= rivalRunsMin && 2 * now.gap >= now.runs) return 'absent';
  const best = Math.max(0, ...[...now.rivals.values()].map(({ cited }) => cited));
  const isRare = 3 * now.cited < now.runs && best >= rivalRunsMin && best >= 2 * now.cited;
  return isRare ? 'rarely cited' : undefined;
}

interface Standing {
  readonly kind: PromptKind;
  readonly find: (tally: Tally) => Stake | undefined;
  /** Whether an engine's runs contribute to the gap. */
  readonly concerns: (tally: Tally) => boolean;
}

/** Rules about answers that do cite the brand, in the order in which they are tried. */
const standings: readonly Standing[] = [
  { kind: 'not named', find: findUnnamed, concerns: ({ cited, named }) => cited > named },
  {
    kind: 'outranked',
    find: findOutranked,
    concerns: ({ rivals }) => [...rivals.values()].some(({ ahead }) => ahead > 0),
  },
  { kind: 'not linked', find: findUnlinked, concerns: ({ named }) => named > 0 },
];

/**
 * Returns the gap of the first rule that matches on all engines together, or else on some of them
 * alone.
 */
export function findStanding(engines: EngineTallies): Gap | undefined {
  for (const { kind, find, concerns } of standings) {
    const together = find(mergeTallies([...engines.values()]));
    const fits = together === undefined ? (tally: Tally) => find(tally) !== undefined : concerns;
    const names = findEngines(engines, fits);
    const some = mergeTallies(names.flatMap((engine) => engines.get(engine) ?? []));
    const stake = together ?? find(some);
    if (stake === undefined) continue;
    const counted = together === undefined ? names : [...engines.keys()];
    return { kind, engines: names, counted, stake };
  }
  return undefined;
}

/** The answers link to the brand but name it in less than half of the cases, beyond chance. */
function findUnnamed({ linked, cited, named }: Tally): Stake | undefined {
  // Cited is linked, named or both.
  const unnamed = cited - named;
  const share = { part: unnamed, whole: linked };
  if (linked < citingMin || (wilsonInterval(share)?.low ?? 0) <= 0.5) return undefined;
  return stakeOf(share, 1 / 4);
}

/**
 * A competitor that ranks ahead of the brand more often than behind it, beyond chance. Of several,
 * the one furthest ahead.
 */
function findOutranked({ rivals }: Tally): Stake | undefined {
  const stakes = [...rivals.values()].flatMap(({ both, ahead, places }) => {
    const share = { part: ahead, whole: both };
    if (both < citingMin || (wilsonInterval(share)?.low ?? 0) <= 0.5) return [];
    const distance = places / ahead;
    // Being one rank behind is worth half as much as being many ranks behind.
    return [stakeOf(share, distance / (distance + 1) / 10)];
  });
  const [most] = stakes.toSorted((left, right) => right.low * right.worth - left.low * left.worth);
  return most;
}

function findUnlinked({ runs, named, linked, isRivalLinked }: Tally): Stake | undefined {
  const isNamed = named >= citingMin && 2 * named >= runs;
  if (!isNamed || linked > 0 || !isRivalLinked) return undefined;
  return stakeOf({ part: named, whole: runs }, 1 / 10);
}

function findEngines(engines: EngineTallies, fits: (tally: Tally) => boolean): string[] {
  return [...engines].filter(([, tally]) => fits(tally)).map(([engine]) => engine);
}
