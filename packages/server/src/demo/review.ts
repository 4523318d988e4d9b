import { deriveActions } from '../answers/actions/derive.ts';
import { setActionStatus } from '../answers/actions/stored-actions.ts';
import type { ActionStatus } from '../answers/actions/stored-actions.ts';
import type { Store } from '../storage/store.ts';
import { days } from './calendar.ts';
import type { Calendar } from './calendar.ts';

const windowDays = 28;
/** Days on which somebody looked for gaps, the last one today. */
const reviewDays = [days - 41, days - 1];

/** How far an action got by its place, and after how many days: a list that somebody works on. */
const courses: ReadonlyArray<ReadonlyArray<readonly [status: ActionStatus, afterDays: number]>> = [
  [],
  [],
  [['in_progress', 3]],
  [],
  [
    ['in_progress', 1],
    ['done', 8],
  ],
  [],
  [['dismissed', 2]],
  [
    ['in_progress', 2],
    ['done', 12],
  ],
];

/** Derives the demo's actions on some days, as its people would have, and sets how far they are. */
export async function reviewDemo(
  store: Store,
  workspaceId: string,
  calendar: Calendar,
): Promise<void> {
  let place = 0;
  for (const day of reviewDays) {
    const derive = { workspaceId, windowDays, clock: clockAt(calendar, day) };
    const { opened } = await deriveActions(store, derive);
    for (const { id } of opened) {
      const course = courses[place % courses.length] ?? [];
      place += 1;
      for (const [status, afterDays] of course.filter(([, after]) => day + after < days)) {
        const clock = clockAt(calendar, day + afterDays);
        await setActionStatus(store, workspaceId, { id, status, clock });
      }
    }
  }
}

function clockAt(calendar: Calendar, day: number): () => number {
  const atMs = Date.parse(calendar.moment(day, 0.6));
  return () => atMs;
}
