import type { ActionRow, DetectionRow, HitRow, PromptRow, ScoreRow } from '@overheard/contract';
import { demoActions } from './actions.ts';
import { createCalendar } from './calendar.ts';
import { demoHits } from './hits.ts';
import { demoPrompts } from './prompts.ts';
import { createRandom } from './random.ts';
import { demoRuns } from './runs.ts';
import type { DemoSubject } from './runs.ts';
import { demoScores } from './scores.ts';

/** Rows of every resource, as they are imported. */
export interface DemoRows {
  readonly prompts: readonly PromptRow[];
  readonly actions: readonly ActionRow[];
  readonly scores: readonly ScoreRow[];
  readonly detections: ReadonlyArray<DetectionRow & { readonly prompt_id: string }>;
  readonly hits: readonly HitRow[];
}

/** Any other number makes another demo. */
const seed = 20_260_926;

/**
 * Makes up 180 days that end at `nowMs`: the same ones for the same moment and subjects. The
 * figures agree with each other: scores and actions are counted from the runs.
 */
export function demoRows(subjects: readonly DemoSubject[], nowMs: number): DemoRows {
  const calendar = createCalendar(nowMs);
  const random = createRandom(seed);
  const prompts = demoPrompts(calendar);
  const runs = demoRuns(prompts, subjects, { calendar, random });
  return {
    prompts: prompts.map(({ row }) => row),
    actions: demoActions(prompts, runs, { subjects, calendar }),
    scores: demoScores(runs, calendar),
    detections: runs.flatMap(({ detections }) => detections),
    hits: demoHits({ calendar, random }),
  };
}
