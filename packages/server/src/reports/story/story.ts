import { limits, surfaceOf } from '@overheard/contract';
import type { ShareRow, Surface } from '@overheard/contract';
import { engineName } from '../../values/engine.ts';
import { plural } from '../../values/plural.ts';
import { controlFalseDiscoveries, holmSure } from '../../values/statistics/compare.ts';
import type { Comparison } from '../../values/statistics/compare.ts';
import { addDays, dayMs } from '../../values/time/utc-day.ts';
import { leadOver } from '../head-to-head.ts';
import type { JudgedRow } from '../shares/share-rows.ts';
import type { ReportSource } from '../report-source.ts';
import type { PeriodShares } from '../shares/shares.ts';
import { readRefusedBot } from './refused-bot.ts';
import {
  engineParts,
  headlineOf,
  leadSentence,
  overallParts,
  plain,
  rivalParts,
  sizeOf,
} from './sentences.ts';
import type { Change, Sentence } from './sentences.ts';
import { toSureChanges } from './sure-changes.ts';
import type { SureChange } from './sure-changes.ts';
import type { Period } from '../shares/windows.ts';

/** What happened in a period, the largest proven change first. It never names a cause. */
export interface Story {
  /**
   * `refused`: no figure is sure to have moved, but a bot that reads for answers is refused. `unsure`:
   * something moved, but in so many comparisons that it may be chance.
   */
  readonly kind: 'change' | 'refused' | 'unsure' | 'none' | 'not_comparable' | 'too_little';
  readonly headline: Sentence;
  /** The engine that fell, if the headline is about one. */
  readonly fallen?: string;
  /** Each sure change, the one of the headline first. */
  readonly changes?: readonly SureChange[];
  /** What else moved and offsets it; then the rivals and who leads. Each may be missing. */
  readonly lines: readonly Sentence[];
  /** What a comparison still needs, if there is too little to compare. */
  readonly missing: {
    readonly answers: number;
    readonly prompts: number;
    readonly days: number;
  } | null;
}

/** The figures that a story is told from, of one period and the one before. */
export interface StoryFacts extends Period {
  /** Every subject, over the engines of the head surface. */
  readonly total: readonly JudgedRow[];
  /** The brand on each engine. Engines of the other surface are left out. */
  readonly engines: readonly JudgedRow[];
  /** The brand on each prompt, over the engines of the head surface. */
  readonly prompts: readonly JudgedRow[];
  readonly head: Surface;
  /** The brand against its best rival in the same answers. */
  readonly lead: { readonly rival: string; readonly comparison: Comparison } | undefined;
  /** The first day with an answer. */
  readonly firstDay: string | undefined;
  /** The last day with an answer. */
  readonly lastDay?: string | undefined;
}

/**
 * A workspace has some 50 comparisons. Each of the three families of them, the total, engines with
 * rivals, and prompts, names a change that is chance in 1 % of quiet periods at most.
 * docs/decisions/stories-of-sure-changes.md
 */
const level = 0.01;
/** Each of so many looks at about the same days may err, so each has its share of the level (Bonferroni). */
const dailyLooks = 28;
/** A verdict needs this many prompts in both periods, as in `compareRatios`. */
const promptsMin = 10;

/**
 * Tells the story of a period from its counts and the rows that were made of them. Crawlers come last:
 * only where no figure is sure to have moved, because side by side they would read as its cause.
 */
export async function readStory(
  source: ReportSource,
  shares: PeriodShares,
  facts: Omit<StoryFacts, 'head' | 'lead'>,
): Promise<Story> {
  const [rival] = facts.total
    .filter((judged) => !isBrand(judged) && judged.row.cited > 0)
    .toSorted((left, right) => right.row.cited - left.row.cited);
  const lead = rival && {
    rival: rival.row.name,
    comparison: leadOver(shares, rival.row.subject_id),
  };
  const story = tellStory({ ...facts, head: shares.head, lead });
  if (story.kind === 'change') return story;
  const refused = await readRefusedBot(source, facts);
  if (refused === undefined) return story;
  const headline = [{ text: refused, tone: 'down' as const }];
  return { ...story, kind: 'refused', headline, lines: [story.headline, ...story.lines] };
}

/** Tells what the figures of a period say. Pure. */
export function tellStory(facts: StoryFacts): Story {
  const brand = facts.total.find(isBrand);
  const changes = changesOf(facts, (family) => sure(family, level));
  const [first] = changes;
  const lead = leadSentence(facts.lead, brand?.row.name ?? '');
  if (brand === undefined || brand.row.runs === 0) return tooLittle(facts, brand?.row);
  if (first !== undefined) {
    const daily = changesOf(facts, (family) => sure(family, level / dailyLooks));
    // The sure change is known: of what else moved, at most 10 % are expected to be chance.
    const others = changesOf(facts, discovered).filter(({ row }) => row !== first.row);
    const told = [
      [...engineParts(others, first), ...overallParts(brand.row, first, others)],
      [...rivalParts(others), ...lead],
    ];
    return {
      kind: 'change',
      headline: headlineOf(first, brand.row.name),
      ...(first.kind === 'engine' && first.tone === 'down' && { fallen: first.row.engine ?? '' }),
      changes: toSureChanges(changes, { daily, brand: brand.row.name }),
      lines: told.filter((line) => line.length > 0),
      missing: null,
    };
  }
  const lines = lead.length === 0 ? [] : [lead];
  const period = periodName(facts);
  const tested = comparisons(facts);
  const moved = tested.filter(({ row }) => isMoved(row));
  if (moved.length > 0) {
    const words = `${moved.length} of ${plural(tested.length, 'comparison')} moved, which is not enough to be sure.`;
    return {
      kind: 'unsure',
      headline: [plain(`No sure change in ${period}.`)],
      lines: [[plain(words)], ...lines],
      missing: null,
    };
  }
  if (brand.row.rate_verdict === 'not_comparable') {
    const sentence = `${capital(period)} cannot be compared with the time before.`;
    return { kind: 'not_comparable', headline: [plain(sentence)], lines, missing: null };
  }
  if (brand.row.rate_verdict === 'too_few' && brand.row.prompts_compared < promptsMin) {
    return { ...tooLittle(facts, brand.row), lines };
  }
  return {
    kind: 'none',
    headline: [plain(`No real change in ${period}.`)],
    lines,
    missing: null,
  };
}

/** The changes that `choose` leaves of each family, in the order in which a story names them. */
function changesOf(
  { total, engines, prompts, head }: StoryFacts,
  choose: (family: readonly JudgedRow[]) => readonly JudgedRow[],
): Change[] {
  const rivals = total.filter((judged) => !isBrand(judged));
  const onEngines = enginesOf({ engines, head });
  const runs = onEngines.reduce((sum, { row }) => sum + row.runs, 0);
  const families = choose([...onEngines, ...rivals]);
  const ofKind = (
    kind: Change['kind'],
    judged: readonly JudgedRow[],
    weight: (row: ShareRow) => number,
  ) =>
    judged
      .flatMap(({ row }) => toChange(kind, row))
      .toSorted((left, right) => weight(right.row) - weight(left.row));
  return [
    ...ofKind('total', choose(total.filter(isBrand)), sizeOf),
    ...ofKind('engine', families.filter(isBrand), (row) => (sizeOf(row) * row.runs) / runs),
    ...ofKind(
      'rival',
      families.filter((judged) => !isBrand(judged)),
      sizeOf,
    ),
    ...ofKind('prompt', choose(prompts), sizeOf),
  ];
}

/** With one engine, the total says the same. */
function enginesOf({ engines, head }: Pick<StoryFacts, 'engines' | 'head'>): JudgedRow[] {
  const ofHead = engines.filter(({ row }) => surfaceOf(row.engine ?? '') === head);
  return ofHead.length > 1 ? ofHead : [];
}

function sure(family: readonly JudgedRow[], levelMax: number): JudgedRow[] {
  const isSure = holmSure(
    family.map(({ chance }) => chance),
    levelMax,
  );
  return family.filter((_, index) => isSure[index]);
}

function discovered(family: readonly JudgedRow[]): JudgedRow[] {
  const controlled = controlFalseDiscoveries(
    family.map(({ row, chance }) => ({
      change: row.rate_change ?? undefined,
      detectable: undefined,
      chance,
      verdict: row.rate_verdict,
    })),
  );
  return family.filter((_, index) => ['up', 'down'].includes(controlled[index]?.verdict ?? ''));
}

function comparisons(facts: StoryFacts): JudgedRow[] {
  return [...facts.total, ...enginesOf(facts), ...facts.prompts].filter(
    ({ chance }) => chance !== undefined,
  );
}

function toChange(kind: Change['kind'], row: ShareRow): Change[] {
  const { rate_change: change, rate_before: before, rate_compared: now } = row;
  if (change === null || before === null || now === null || change === 0) return [];
  const name = kind === 'engine' ? engineName(row.engine ?? '') : row.name;
  return [{ kind, row, name, tone: change > 0 ? 'up' : 'down', before, now }];
}

function tooLittle(
  { from, to, firstDay, lastDay = to }: StoryFacts,
  brand: ShareRow | undefined,
): Story {
  const common = { kind: 'too_little', lines: [] } as const;
  if (brand === undefined || brand.runs === 0) {
    const headline = [plain(`No answers in ${periodName({ from, to })}.`)];
    return { ...common, headline, missing: { answers: 1, prompts: promptsMin, days: 0 } };
  }
  const periodDays = daysFrom(from, to) + 1;
  // Until both periods are whole.
  const days =
    firstDay === undefined || firstDay < from
      ? 0
      : daysFrom(to, addDays(firstDay, 2 * periodDays - 1));
  const known = days > 0 ? brand.prompts : brand.prompts_compared;
  const prompts = Math.max(0, promptsMin - known);
  // No answers come to a period that later answers follow.
  if (lastDay > to) {
    const words = `Too little to compare: ${periodName({ from, to })} and the time before share ${plural(brand.prompts_compared, 'prompt')}, and ${promptsMin} are needed.`;
    return { ...common, headline: [plain(words)], missing: { answers: 0, prompts, days: 0 } };
  }
  if (days > periodDays && periodDays > limits.periodDays) {
    const words = `Too little to compare: the first answers are of ${firstDay}, so choose a shorter period.`;
    return { ...common, headline: [plain(words)], missing: { answers: 0, prompts, days } };
  }
  const needs = [
    ...(prompts > 0 ? [`${prompts} more ${prompts === 1 ? 'prompt' : 'prompts'}`] : []),
    ...(days > 0 ? [`${days} more ${days === 1 ? 'day' : 'days'} of answers`] : []),
  ];
  const verb = prompts + days === 1 ? 'is' : 'are';
  const headline = [plain(`Too little to compare yet: ${needs.join(' and ')} ${verb} needed.`)];
  return { ...common, headline, missing: { answers: 0, prompts, days } };
}

/** `these 4 weeks`, `these 30 days`. */
function periodName({ from, to }: Period): string {
  const days = daysFrom(from, to) + 1;
  if (days === 1) return 'this day';
  if (days === 7) return 'this week';
  return days % 7 === 0 ? `these ${days / 7} weeks` : `these ${days} days`;
}

function daysFrom(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / dayMs;
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function isBrand({ row }: JudgedRow): boolean {
  return row.subject_type === 'brand';
}

function isMoved({ rate_verdict: verdict }: ShareRow): boolean {
  return verdict === 'up' || verdict === 'down';
}
