import type { PromptRow } from '@overheard/contract';
import { promptId } from '../values/uuid.ts';
import { days } from './calendar.ts';
import type { Calendar } from './calendar.ts';
import { brandedQuestions, questions } from './cast.ts';

/** A prompt, and from when to when it is put to the engines. */
export interface DemoPrompt {
  readonly row: PromptRow;
  readonly isBranded: boolean;
  /** The first and the last day on which it runs. */
  readonly from: number;
  readonly to: number;
}

/** Prompts added after the demo's first day, one every so many days. */
const lateCount = 9;
const lateEveryDays = 14;
/** Prompts that were given up a while ago. */
const givenUp = new Set([6, 18, 29]);
const givenUpDaysAgo = 30;

/** The 40 prompts: most from before the first day, some added later, three given up. */
export function demoPrompts(calendar: Calendar): DemoPrompt[] {
  const texts = [
    ...brandedQuestions.map((question) => ({ ...question, isBranded: true })),
    ...questions.map((question) => ({ ...question, isBranded: false })),
  ];
  return texts.map(({ isBranded, ...question }, index) => {
    const late = index - (texts.length - lateCount);
    const from = late < 0 ? 0 : (late + 1) * lateEveryDays;
    const active = !givenUp.has(index);
    return {
      isBranded,
      from,
      to: active ? days - 1 : days - 1 - givenUpDaysAgo,
      row: {
        id: promptId(question),
        ...question,
        active,
        // The early ones were written in one sitting, a minute apart, the day before.
        created_at:
          late < 0
            ? calendar.moment(-1, (9 * 60 + index) / (24 * 60))
            : calendar.moment(from - 1, 0.4),
      },
    };
  });
}
