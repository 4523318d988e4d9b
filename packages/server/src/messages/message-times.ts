import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';

/** When the weekly message of a workspace is due. */
export interface MessageTime {
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
  /** 0 to 23, in the time zone. */
  readonly hour: number;
  /** An IANA time zone. */
  readonly zone: string;
}

/** A time, and the moment when it was chosen: no message is due for an earlier one. */
export interface StoredTime extends MessageTime {
  readonly set_at: string;
}

/** The time of a workspace that has chosen none. */
export const usualTime: StoredTime = { weekday: 1, hour: 8, zone: 'UTC', set_at: '' };

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

const hourMs = 3_600_000;
/** A zone may skip the hour, even the last one of a day, so look back for more than two weeks. */
const hoursBack = 15 * 24;

/** Reads when the weekly message of a workspace is due. */
export async function readMessageTime(
  db: Kysely<AccessTables>,
  workspaceId: string,
): Promise<MessageTime> {
  const row = await db
    .selectFrom('message_times')
    .select(['weekday', 'hour', 'zone'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row ?? usualTime;
}

/** Sets when the weekly message of a workspace is due. */
export async function setMessageTime(
  db: Kysely<AccessTables>,
  workspaceId: string,
  { weekday, hour, zone }: MessageTime,
  { clock }: { clock: () => number },
): Promise<void> {
  const time = { weekday, hour, zone, set_at: new Date(clock()).toISOString() };
  await db
    .insertInto('message_times')
    .values({ workspace_id: workspaceId, ...time })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(time))
    .execute();
}

/**
 * The last time at which a weekly message was due: its local date, which names it, and its moment.
 * Where the clock skips the hour, it is due at the next one of that day.
 */
export function lastDue(
  { weekday, hour, zone }: MessageTime,
  nowMs: number,
): { readonly date: string; readonly atMs: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  });
  const wanted = weekdays[weekday - 1];
  let due: { date: string; atMs: number } | undefined;
  const thisHourMs = Math.floor(nowMs / hourMs) * hourMs;
  for (let back = 0; back <= hoursBack; back++) {
    const atMs = thisHourMs - back * hourMs;
    const parts = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, value]),
    );
    const date = `${parts['year']}-${parts['month']}-${parts['day']}`;
    const isDue = parts['weekday'] === wanted && Number(parts['hour']) >= hour;
    if (due !== undefined && (!isDue || due.date !== date)) return due;
    if (isDue) due = { date, atMs };
  }
  throw new Error(`No ${wanted} in ${zone}`);
}
