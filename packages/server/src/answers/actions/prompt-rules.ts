import { wilsonInterval } from '../../values/statistics/estimate.ts';
import { stakeOf } from './impact.ts';
import type { Stake } from './impact.ts';
import { runsMin } from './drops.ts';
import type { Drops, TalliedPrompt } from './drops.ts';
import type { Gap, PromptKind } from './gap-kinds.ts';
import { mergeTallies, poolEngines } from './tally.ts';
import type { EngineTallies, Tally } from './tally.ts';

/** Runs that must cite the brand before its rank or its links are judged. */
const citingMin = 5;
/** Runs that must cite a competitor before its lead is judged. */
const rivalRunsMin = 3;

interface PromptRule {
  readonly kind: PromptKind;
  /** A prompt that has one of these kinds is not looked at. */
  readonly unless: readonly PromptKind[];
  readonly find: (prompt: TalliedPrompt, drops: Drops) => Omit<Gap, 'kind'> | undefined;
}

const gone = ['lost', 'absent'] as const;
const missing = [...gone, 'rarely cited'] as const;

/** The rules about one prompt, in the order in which they are tried. */
const promptRules: readonly PromptRule[] = [
  { kind: 'lost', unless: [], find: findAbsence(isLost, ({ runs, cited }) => runs - cited) },
  { kind: 'absent', unless: ['lost'], find: findAbsence(isAbsent, ({ gap }) => gap) },
  { kind: 'rarely cited', unless: gone, find: findAbsence(isRare, ({ gap }) => gap) },
  {
    kind: 'engine gap',
    unless: missing,
    find: ({ id }, { engineGaps }) => engineGaps.get(id),
  },
  { kind: 'declining', unless: gone, find: ({ id }, { declines }) => declines.get(id) },
  {
    kind: 'not named',
    unless: missing,
    find: findStanding(stakeUnnamed, ({ cited, named }) => cited > named),
  },
  {
    kind: 'outranked',
    unless: [...missing, 'not named'],
    find: findStanding(stakeOutranked, ({ rivals }) =>
      [...rivals.values()].some(({ ahead }) => ahead > 0),
    ),
  },
  {
    kind: 'not linked',
    unless: [...missing, 'not named', 'outranked'],
    find: findStanding(stakeUnlinked, ({ named }) => named > 0),
  },
];

/** Finds the gaps of a prompt: the first rule of each group that holds. */
export function findPromptGaps(prompt: TalliedPrompt, drops: Drops): Gap[] {
  const gaps: Gap[] = [];
  for (const { kind, unless, find } of promptRules) {
    const gap = gaps.some((one) => unless.includes(one.kind)) ? undefined : find(prompt, drops);
    if (gap !== undefined) gaps.push({ ...gap, kind });
  }
  return gaps;
}

/** Makes a rule about a brand that is almost never cited, over all engines together. */
function findAbsence(
  holds: (now: Tally, before: Tally) => boolean,
  partOf: (now: Tally) => number,
): PromptRule['find'] {
  return ({ current, before }) => {
    const all = poolEngines(current);
    if (!holds(all, poolEngines(before))) return undefined;
    return {
      engines: namesOf(current, ({ cited, runs }) => 3 * cited < runs),
      counted: [...current.keys()],
      stake: stakeOf({ part: partOf(all), whole: all.runs }),
    };
  };
}

function isLost(now: Tally, before: Tally): boolean {
  return now.cited === 0 && before.runs >= runsMin && 2 * before.cited >= before.runs;
}

function isAbsent({ cited, gap, runs }: Tally): boolean {
  return cited === 0 && gap >= rivalRunsMin && 2 * gap >= runs;
}

function isRare({ cited, runs, rivals }: Tally): boolean {
  const best = Math.max(0, ...[...rivals.values()].map((rival) => rival.cited));
  return 3 * cited < runs && best >= rivalRunsMin && best >= 2 * cited;
}

/**
 * Makes a rule about answers that do cite the brand. It may hold on all engines together, or else on
 * some of them alone.
 */
function findStanding(
  find: (tally: Tally) => Stake | undefined,
  /** Whether an engine's runs contribute to the gap. */
  concerns: (tally: Tally) => boolean,
): PromptRule['find'] {
  return ({ current }) => {
    const together = find(poolEngines(current));
    const fits = together === undefined ? (tally: Tally) => find(tally) !== undefined : concerns;
    const engines = namesOf(current, fits);
    const some = mergeTallies(engines.flatMap((engine) => current.get(engine) ?? []));
    const stake = together ?? find(some);
    if (stake === undefined) return undefined;
    return { engines, counted: together === undefined ? engines : [...current.keys()], stake };
  };
}

/** The answers link to the brand but name it in less than half of the cases, beyond chance. */
function stakeUnnamed({ linked, cited, named }: Tally): Stake | undefined {
  // Cited is linked, named or both.
  const share = { part: cited - named, whole: linked };
  return linked < citingMin || !isMost(share) ? undefined : stakeOf(share, 1 / 4);
}

/**
 * A competitor that ranks ahead of the brand more often than behind it, beyond chance. Of several,
 * the one furthest ahead.
 */
function stakeOutranked({ rivals }: Tally): Stake | undefined {
  const stakes = [...rivals.values()].flatMap(({ both, ahead, places }) => {
    const share = { part: ahead, whole: both };
    if (both < citingMin || !isMost(share)) return [];
    const distance = places / ahead;
    // Being one rank behind is worth half as much as being many ranks behind.
    return [stakeOf(share, distance / (distance + 1) / 10)];
  });
  return stakes.toSorted((left, right) => right.low * right.worth - left.low * left.worth)[0];
}

function stakeUnlinked({ runs, named, linked, rivalLinked }: Tally): Stake | undefined {
  const isNamed = named >= citingMin && 2 * named >= runs;
  if (!isNamed || linked > 0 || rivalLinked === 0) return undefined;
  return stakeOf({ part: named, whole: runs }, 1 / 10);
}

/** Whether a share is more than one half, beyond chance. */
export function isMost(share: Stake['share']): boolean {
  return (wilsonInterval(share)?.low ?? 0) > 0.5;
}

function namesOf(engines: EngineTallies, fits: (tally: Tally) => boolean): string[] {
  return [...engines].filter(([, tally]) => fits(tally)).map(([engine]) => engine);
}
