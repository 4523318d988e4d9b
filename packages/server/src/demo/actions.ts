import type { ActionRow } from '@overheard/contract';
import { contentId } from '../storage/ids.ts';
import { days } from './calendar.ts';
import type { Calendar } from './calendar.ts';
import { brand } from './cast.ts';
import type { DemoPrompt } from './prompts.ts';
import type { DemoRun, DemoSubject } from './runs.ts';
import { countCitations } from './share-of-voice.ts';
import type { Citations } from './share-of-voice.ts';

const actionsCount = 30;
/** How far an action is by its place: a list that somebody works on. */
const statuses: ReadonlyArray<ActionRow['status']> = [
  'open',
  'open',
  'in_progress',
  'open',
  'done',
  'open',
  'dismissed',
  'done',
  'in_progress',
  'open',
];
/** Days on which the demo's gaps were looked for, and how much of the past was looked at. */
const reviewDays = [days - 75, days - 40, days - 12];
const reviewedDays = 60;
/** Fewer answers say too little. */
const runsMin = 5;

const fixes = [
  'Publish a comparison page',
  'Answer this question on a page of its own',
  'Add prices and plans as a table',
  'Ask for a review in a directory that answers cite',
  'Add a customer story of this trade',
];

/** A competitor that answers to a prompt cite more often than the brand. */
interface Gap {
  readonly prompt: DemoPrompt;
  readonly day: number;
  readonly before: Citations;
  readonly after: Citations;
  readonly leader: DemoSubject;
  readonly leaderRuns: number;
}

/** The gap list: where a competitor is ahead most, what would help. */
export function demoActions(
  prompts: readonly DemoPrompt[],
  runs: readonly DemoRun[],
  { subjects, calendar }: { subjects: readonly DemoSubject[]; calendar: Calendar },
): ActionRow[] {
  return prompts
    .filter(({ isBranded }) => !isBranded)
    .flatMap((prompt, index) => gapsOf(prompt, { index, runs, subjects }))
    .toSorted((left, right) => leadOf(right) - leadOf(left))
    .slice(0, actionsCount)
    .map((gap, index) => toAction(gap, index, calendar));
}

function gapsOf(
  prompt: DemoPrompt,
  {
    index,
    runs,
    subjects,
  }: { index: number; runs: readonly DemoRun[]; subjects: readonly DemoSubject[] },
): Gap[] {
  const day = reviewDays[index % reviewDays.length] ?? 0;
  const ofPrompt = runs.filter((run) => run.prompt === prompt);
  const before = countCitations(
    ofPrompt.filter((run) => run.day < day && run.day >= day - reviewedDays),
  );
  const after = countCitations(ofPrompt.filter((run) => run.day >= day));
  if (before.runs < runsMin) return [];
  return subjects
    .map((leader) => ({ leader, leaderRuns: before.competitors.get(leader.id) ?? 0 }))
    .filter(({ leaderRuns }) => leaderRuns > before.brand)
    .map((ahead) => ({ prompt, day, before, after, ...ahead }));
}

/** By how much the competitor is ahead, as a share of the answers. */
function leadOf({ before, leaderRuns }: Gap): number {
  return (leaderRuns - before.brand) / before.runs;
}

function toAction(gap: Gap, index: number, calendar: Calendar): ActionRow {
  const { prompt, day, before, after, leader, leaderRuns } = gap;
  const status = statuses[index % statuses.length] ?? 'open';
  const impact = Math.round(leadOf(gap) * 1000) / 10;
  const ofBrand = before.brand === 0 ? 'none' : before.brand;
  return {
    id: contentId('action', [prompt.row.id, leader.name]),
    prompt_id: prompt.row.id,
    recommendation: `${fixes[index % fixes.length]}: ${leader.name} was cited in ${leaderRuns} of ${before.runs} answers, ${brand.name} in ${ofBrand}.`,
    priority: priorityOf(impact),
    status,
    impact_score: impact,
    sov_baseline: before.shareOfVoice,
    sov_result: status === 'done' && after.runs > 0 ? after.shareOfVoice : null,
    created_at: calendar.moment(day, (6 * 60 + index) / (24 * 60)),
  };
}

function priorityOf(impact: number): ActionRow['priority'] {
  if (impact >= 50) return 'high';
  return impact >= 35 ? 'medium' : 'low';
}
