import type { Stance, StanceGrouping, StanceRow, SubjectRow } from '@overheard/contract';
import { compareCodePoints } from '../../values/code-points.ts';
import type { Proportion } from '../../values/statistics/distributions.ts';
import {
  promptInterval,
  roundFigure,
  sum,
  wilsonInterval,
} from '../../values/statistics/estimate.ts';
import type { Interval } from '../../values/statistics/estimate.ts';
import { roundRatio } from '../../values/statistics/share-of-voice.ts';
import type { Period } from '../shares/windows.ts';
import type { StanceCheck } from './check.ts';
import { foldPurpose, usualSpelling } from './purposes.ts';
import { isRecommended } from './tally.ts';
import type { StanceGroup, SubjectStances } from './tally.ts';

/** One group, and what its figures are a part of. */
interface GroupContext {
  readonly by: StanceGrouping;
  readonly key: string;
  readonly group: StanceGroup;
  /** The stances of every group together. */
  readonly all: StanceGroup;
  readonly subjects: readonly SubjectRow[];
  readonly check: StanceCheck;
  readonly judge: string;
  readonly period: Period;
  readonly isOnePrompt: boolean;
}

/** An interval of a share needs this many recommendations, as that of a share of voice. */
const recommendationsMin = 10;

/** The groups of a subject in the order of the rows: purposes by recommendations, others by name. */
export function orderGroups(
  groups: ReadonlyArray<[key: string, group: StanceGroup]>,
  by: StanceGrouping,
  subjectId: string,
): ReadonlyArray<[key: string, group: StanceGroup]> {
  const recommended = (group: StanceGroup) =>
    by === 'purpose' ? sumOf(ratesOf(group.subjects.get(subjectId))).part : 0;
  return groups.toSorted(
    ([left, one], [right, other]) =>
      recommended(other) - recommended(one) ||
      Number(left === '') - Number(right === '') ||
      compareCodePoints(left, right),
  );
}

/** Makes the row of a subject in a group, without its quotes. */
export function toRow(subject: SubjectRow, context: GroupContext): Omit<StanceRow, 'quotes'> {
  const { by, key, group, all, subjects, check, judge, period, isOnePrompt } = context;
  const own = group.subjects.get(subject.id);
  const whole = by === 'purpose' ? all : group;
  const rates = ratesIn(whole.subjects.get(subject.id), own);
  const rate = sumOf(rates);
  const shares = sharesIn(whole, own);
  const share = sumOf(shares);
  const isShared = check.isTrusted && subjects.length > 1 && share.whole > 0;
  const rateInterval = isOnePrompt ? wilsonInterval(rate) : promptInterval(rates);
  const shareInterval = promptInterval(shares, { wholeMin: recommendationsMin });
  const count = (stance: Stance | null) => own?.stances.get(stance) ?? 0;
  const judged = (stance: Stance) => (check.isTrusted ? count(stance) : null);
  const ends = (interval: Interval | undefined, isShown: boolean) =>
    isShown && interval !== undefined
      ? { low: roundFigure(interval.low), high: roundFigure(interval.high) }
      : { low: null, high: null };
  const ofRate = ends(rateInterval, check.isTrusted && rate.whole > 0);
  const ofShare = ends(shareInterval, isShared);
  return {
    subject_id: subject.id,
    subject_type: subject.type,
    name: subject.name,
    engine: by === 'engine' ? key : null,
    prompt_id: by === 'prompt' ? key : null,
    tag: (by === 'tag' || by === 'topic') && key !== '' ? key : null,
    purpose: by === 'purpose' ? spellingIn(group, key) : null,
    from: period.from,
    to: period.to,
    runs: whole.runs.size,
    cited: rate.whole,
    first_choice: judged('first_choice'),
    recommended_for: judged('recommended_for'),
    also: judged('also'),
    plain: judged('plain'),
    mixed: judged('mixed'),
    advised_against: judged('advised_against'),
    unknown_to_engine: count('unknown_to_engine'),
    void: count(null),
    recommended_rate: check.isTrusted && rate.whole > 0 ? roundRatio(rate.part, rate.whole) : null,
    recommended_rate_low: ofRate.low,
    recommended_rate_high: ofRate.high,
    recommended_share: isShared ? roundRatio(share.part, share.whole) : null,
    recommended_share_low: ofShare.low,
    recommended_share_high: ofShare.high,
    kappa: check.kappa,
    kappa_low: check.low,
    kappa_high: check.high,
    labels: check.labels,
    judge,
  };
}

/** A subject's recommendations in a group, of its citations in the whole, prompt by prompt. */
function ratesIn(
  whole: SubjectStances | undefined,
  own: SubjectStances | undefined,
): readonly Proportion[] {
  return [...(whole?.prompts ?? [])].map(([prompt, { whole: cited }]) => ({
    part: own?.prompts.get(prompt)?.part ?? 0,
    whole: cited,
  }));
}

/** A subject's recommendations, of those of all subjects of the whole, prompt by prompt. */
function sharesIn(
  { subjects }: StanceGroup,
  own: SubjectStances | undefined,
): readonly Proportion[] {
  const sums = new Map<string, number>();
  for (const { prompts } of subjects.values()) {
    for (const [prompt, { part }] of prompts) sums.set(prompt, (sums.get(prompt) ?? 0) + part);
  }
  return [...sums].map(([prompt, whole]) => ({
    part: own?.prompts.get(prompt)?.part ?? 0,
    whole,
  }));
}

function ratesOf(subject: SubjectStances | undefined): readonly Proportion[] {
  return [...(subject?.prompts.values() ?? [])];
}

function sumOf(all: readonly Proportion[]): Proportion {
  return { part: sum(all, ({ part }) => part), whole: sum(all, ({ whole }) => whole) };
}

/** How the answers of a group spell its purpose: as most recommendations do, if there are any. */
function spellingIn({ subjects }: StanceGroup, key: string): string {
  const citations = [...subjects.values()].flatMap((subject) => subject.citations);
  const praises = citations.filter(({ stance }) => isRecommended(stance));
  return usualSpelling(
    (praises.length > 0 ? praises : citations).flatMap(({ purpose }) =>
      purpose !== null && foldPurpose(purpose) === key ? [purpose] : [],
    ),
  );
}
