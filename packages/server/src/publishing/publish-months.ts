import type { Store } from '../storage/store.ts';
import { parsePublished } from '../reports/published/compose.ts';
import { writeWorkspace } from '../storage/write.ts';
import { addDays, utcDay } from '../values/time/utc-day.ts';
import { contentId } from '../values/uuid.ts';
import { composePeriod, publishReport } from './publish-report.ts';

/** The first and the last day of a month such as `2026-10`. */
export function daysOfMonth(month: string): { from: string; to: string } {
  const from = `${month}-01`;
  return { from, to: addDays(`${nextMonth(month)}-01`, -1) };
}

/** The last whole month before a moment, UTC. */
export function lastMonth(nowMs: number): string {
  return addDays(`${utcDay(nowMs).slice(0, 7)}-01`, -1).slice(0, 7);
}

function nextMonth(month: string): string {
  return addDays(`${month}-01`, 31).slice(0, 7);
}

/** Whether each month of a workspace is published when it is over. */
export async function publishesMonths(store: Store, workspaceId: string): Promise<boolean> {
  return (await publishedUntil(store, workspaceId)) !== null;
}

/** Switches the publishing of each month on, from the current one, or off. On again changes nothing. */
export async function setMonthly(
  store: Store,
  workspaceId: string,
  { isOn, nowMs }: { isOn: boolean; nowMs: number },
): Promise<void> {
  await (isOn
    ? setUntil(store, workspaceId, { was: null, is: lastMonth(nowMs) })
    : setUntil(store, workspaceId, { is: null }));
}

/**
 * Publishes the months that are over and were not published, if the workspace wants that. Several
 * servers publish a month once, because its id follows from its name. A month that a person removes
 * is not published again, and one without counted answers not at all.
 */
export async function publishMonths(
  store: Store,
  workspaceId: string,
  clock: () => number,
): Promise<number> {
  const until = await publishedUntil(store, workspaceId);
  if (until === null) return 0;
  let published = 0;
  let was = until;
  for (let month = nextMonth(until); month <= lastMonth(clock()); month = nextMonth(month)) {
    const id = contentId('report', [workspaceId, month]);
    const query = { id, ...daysOfMonth(month), publishedBy: 'the server' };
    const author = { userId: null, clock };
    const body = await composePeriod(store, workspaceId, { query, author });
    const isEmpty = parsePublished(body).surfaces.length === 0;
    if (!isEmpty && (await publishReport(store, workspaceId, { body, author })).isNew) {
      published += 1;
    }
    // Stop if a person switched it off meanwhile, or another server is ahead.
    if (!(await setUntil(store, workspaceId, { was, is: month }))) break;
    was = month;
  }
  return published;
}

async function publishedUntil({ reader }: Store, workspaceId: string): Promise<string | null> {
  const { published_until: until } = await reader
    .selectFrom('workspaces')
    .select('published_until')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return until;
}

/** Sets the mark, if it is still `was` where that is given. Returns whether it did. */
async function setUntil(
  store: Store,
  workspaceId: string,
  { was, is }: { was?: string | null; is: string | null },
): Promise<boolean> {
  const { isSet } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const update = transaction
      .updateTable('workspaces')
      .set({ published_until: is })
      .where('id', '=', workspaceId);
    const { numUpdatedRows } = await (
      was === undefined ? update : update.where('published_until', was === null ? 'is' : '=', was)
    ).executeTakeFirst();
    return { hasChanged: false, isSet: numUpdatedRows === 1n };
  });
  return isSet;
}
