import type { PromptRow } from '@overheard/contract';
import { createCalendar } from './calendar.ts';
import { demoLog } from './log.ts';
import { demoPrompts } from './prompts.ts';
import { createRandom } from './random.ts';
import { demoAnswers } from './runs.ts';
import type { DemoAnswer } from './answer-text.ts';
import type { DemoSubject } from './runs.ts';

/** Rows as they are imported: scores, detections and actions follow from them. */
export interface DemoRows {
  readonly prompts: readonly PromptRow[];
  readonly answers: readonly DemoAnswer[];
  /** Lines of an access log, from which hits are made. */
  readonly log: readonly string[];
}

/** Any other number makes another demo. */
const seed = 20_260_929;

/** Makes up 180 days that end at `nowMs`: the same ones for the same moment and subjects. */
export function demoRows(subjects: readonly DemoSubject[], nowMs: number): DemoRows {
  const calendar = createCalendar(nowMs);
  const random = createRandom(seed);
  const prompts = demoPrompts(calendar);
  return {
    prompts: prompts.map(({ row }) => row),
    answers: demoAnswers(prompts, subjects, { calendar, random }),
    log: demoLog({ calendar, random }),
  };
}
