import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { dayMs } from '../values/time/utc-day.ts';
import { deliver } from './deliver.ts';
import type { Transports } from './deliver.ts';
import { writeAlerts, writeWeekly } from './write-messages.ts';
import type { Writing } from './write-messages.ts';

type Db = Kysely<AccessTables>;

const atOnce = 10;
const keptDays = 90;

/** Whether there is anything to write or to send. A server asks every minute, so this is two look-ups. */
export async function areMessagesDue(
  { access }: Pick<Store, 'access'>,
  nowMs: number,
): Promise<boolean> {
  const now = new Date(nowMs).toISOString();
  const delivery = await access
    .selectFrom('deliveries')
    .select('message_id')
    .where('next_at', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return delivery !== undefined || (await selectDue(access, now).executeTakeFirst()) !== undefined;
}

function selectDue(access: Db, now: string) {
  return access
    .selectFrom('message_times')
    .selectAll()
    .where(({ or, eb }) => or([eb('next_at', '<=', now), eb('check_at', '<=', now)]));
}

/** Counts of one round of sending. */
export interface SendCounts {
  readonly written: number;
  readonly sent: number;
  readonly failed: number;
}

/**
 * Writes each message that is due, and sends every message that waits. Any number of processes may
 * do so at once: a message's id comes from what it tells, and an attempt is claimed before it is
 * sent. So each message arrives at least once, always under the same id and with the same bytes. A
 * recipient gets one message at a time.
 */
export async function sendMessages(
  store: Store,
  {
    publicUrl,
    clock,
    backupFault,
    signal,
    only,
    ...transports
  }: Transports &
    Writing & {
      signal: AbortSignal;
      /** The workspace whose waiting messages alone are sent; nothing is written then. */
      only?: string | undefined;
    },
): Promise<SendCounts> {
  const { access } = store;
  const failures: unknown[] = [];
  let written = 0;
  const now = new Date(clock()).toISOString();
  const due = only === undefined ? await selectDue(access, now).execute() : [];
  const writes = due.flatMap((time) => [
    ...(time.next_at <= now ? [() => writeWeekly(store, time, { publicUrl, clock })] : []),
    ...(time.check_at <= now
      ? [() => writeAlerts(store, time, { publicUrl, clock, backupFault })]
      : []),
  ]);
  for (const write of writes) {
    try {
      written += await write();
    } catch (error) {
      // The messages of other workspaces are sent before the command fails.
      failures.push(error);
    }
  }
  await giveUpArchived(store);
  const counts = { written, sent: 0, failed: 0 };
  const waiting = await access
    .selectFrom('deliveries')
    .selectAll()
    .where('next_at', '<=', new Date(clock()).toISOString())
    .$if(only !== undefined, (query) => query.where('workspace_id', '=', only ?? ''))
    // A test is the last message that was written.
    .orderBy('next_at', only === undefined ? 'asc' : 'desc')
    .execute();
  const queues = Map.groupBy(
    waiting,
    (each) => `${each.workspace_id} ${each.recipient_id}`,
  ).values();
  const sendInTurn = async () => {
    for (const queue of queues) {
      for (const delivery of queue) {
        if (signal.aborted) return;
        const outcome = await deliver(access, delivery, { ...transports, clock, signal });
        if (outcome !== 'taken') counts[outcome] += 1;
        // The rest waits for the next round, so that a recipient that hangs costs a round one wait.
        if (outcome !== 'sent') break;
      }
    }
  };
  // They share one iterator.
  await Promise.all(Array.from({ length: atOnce }, sendInTurn));
  await forgetOld(access, clock() - keptDays * dayMs);
  if (failures.length > 0) throw new AggregateError(failures, String(failures[0]));
  return counts;
}

/** Ends the deliveries of archived workspaces. */
async function giveUpArchived({ access, reader }: Pick<Store, 'access' | 'reader'>): Promise<void> {
  const archived = await reader
    .selectFrom('workspaces')
    .select('id')
    .where('archived_at', 'is not', null)
    .execute();
  if (archived.length === 0) return;
  await access
    .updateTable('deliveries')
    .set({ next_at: null })
    .where(
      'workspace_id',
      'in',
      archived.map(({ id }) => id),
    )
    .where('next_at', 'is not', null)
    .execute();
}

async function forgetOld(db: Db, beforeMs: number): Promise<void> {
  const before = new Date(beforeMs).toISOString();
  const old = await db
    .selectFrom('messages')
    .select(['workspace_id', 'id'])
    .where('created_at', '<', before)
    .execute();
  for (const { workspace_id: workspaceId, id } of old) {
    await db
      .deleteFrom('deliveries')
      .where('workspace_id', '=', workspaceId)
      .where('message_id', '=', id)
      .execute();
    await db
      .deleteFrom('messages')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
  }
}
