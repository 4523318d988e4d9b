import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import { parseLocalMoment } from '../values/time/local-moment.ts';
import { tagKey } from '../values/tag.ts';
import { addDays, utcDay } from '../values/time/utc-day.ts';

const columns = ['weekday', 'hour', 'zone', 'quiet_from', 'quiet_to', 'tag'] as const;

/** When the messages of a workspace are sent, and what they are about. */
export type MessageTime = Readonly<Pick<AccessTables['message_times'], (typeof columns)[number]>>;

/** The time of a workspace that has chosen none. */
export const usualTime: MessageTime = {
  weekday: 1,
  hour: 8,
  zone: 'UTC',
  quiet_from: null,
  quiet_to: null,
  tag: null,
};

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** A zone may skip an hour, even the last one of a day, so look ahead for more than two weeks. */
const daysAhead = 16;

/** Reads when the messages of a workspace are sent, and when the next weekly one is due. */
export async function readMessageTime(
  db: Kysely<AccessTables>,
  workspaceId: string,
  nowMs: number,
): Promise<MessageTime & { readonly next: string }> {
  const row = await db
    .selectFrom('message_times')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  const time = row ?? usualTime;
  return { ...time, next: nextMoment(time, nowMs).date };
}

/**
 * Sets when the messages of a workspace are sent. No weekly message is due for an earlier moment. With
 * another tag, what alerts told of changes is forgotten, because that was of other prompts.
 */
export async function setMessageTime(
  db: Kysely<AccessTables>,
  workspaceId: string,
  time: MessageTime,
  { clock, isFirst = false }: { clock: () => number; isFirst?: boolean },
): Promise<void> {
  const nowMs = clock();
  const row = {
    ...time,
    next_at: new Date(nextMoment(time, nowMs).atMs).toISOString(),
    check_at: new Date(nowMs).toISOString(),
  };
  const before = await db
    .selectFrom('message_times')
    .select('tag')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (!isFirst && tagKey(before?.tag ?? '') !== tagKey(time.tag ?? '')) {
    await db
      .deleteFrom('alerts')
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', 'change')
      .execute();
  }
  await db
    .insertInto('message_times')
    .values({ workspace_id: workspaceId, ...row })
    .onConflict((conflict) => {
      const same = conflict.column('workspace_id');
      return isFirst ? same.doNothing() : same.doUpdateSet(row);
    })
    .execute();
}

/**
 * The next moment after `afterMs` at which the clocks of a zone show an hour, on a weekday if one is
 * given, with its local date. Where they skip the hour, the next one of that day counts; where they
 * show it twice, the first one.
 */
export function nextMoment(
  { zone, hour, weekday }: Pick<MessageTime, 'zone' | 'hour'> & { readonly weekday?: number },
  afterMs: number,
): { readonly date: string; readonly atMs: number } {
  const yesterday = addDays(utcDay(afterMs), -1);
  for (let day = 0; day < daysAhead; day++) {
    const date = addDays(yesterday, day);
    if (weekday !== undefined && (new Date(date).getUTCDay() || 7) !== weekday) continue;
    for (let shown = hour; shown < 24; shown++) {
      const local = parseLocalMoment(`${date} ${String(shown).padStart(2, '0')}:00`, zone);
      if (local === undefined || local === 'skipped') continue;
      const atMs = Date.parse(local.moment);
      if (atMs > afterMs) return { date, atMs };
      break;
    }
  }
  throw new Error(`No ${hour}:00 in ${zone}`);
}

/** When the quiet hours end in which a moment is; undefined if it is in none. */
export function quietEnd(
  { zone, quiet_from: from, quiet_to: to }: Omit<MessageTime, 'weekday' | 'hour' | 'tag'>,
  nowMs: number,
): number | undefined {
  if (from === null || to === null || from === to) return undefined;
  const end = nextMoment({ zone, hour: to }, nowMs).atMs;
  return end < nextMoment({ zone, hour: from }, nowMs).atMs ? end : undefined;
}
