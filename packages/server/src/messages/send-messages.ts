import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { dayMs } from '../values/time/utc-day.ts';
import { contentId } from '../values/uuid.ts';
import { lastDue, usualTime } from './message-times.ts';
import { deliver } from './deliver.ts';
import type { WebhookFetch } from './deliver.ts';
import { writeWeeklyMessage } from './message-texts.ts';
import type { Message } from './message-texts.ts';

type Db = Kysely<AccessTables>;

const atOnce = 10;
const keptDays = 90;

/** The workspaces whose weekly message is due and not written yet. */
async function findDue(
  { access, reader }: Pick<Store, 'access' | 'reader'>,
  nowMs: number,
): Promise<ReadonlyArray<{ workspaceId: string; id: string; atMs: number; webhooks: string[] }>> {
  const [webhooks, times] = await Promise.all([
    access.selectFrom('webhooks').select(['workspace_id', 'id', 'created_at']).execute(),
    access.selectFrom('message_times').selectAll().execute(),
  ]);
  if (webhooks.length === 0) return [];
  const live = await reader
    .selectFrom('workspaces')
    .select('id')
    .where('archived_at', 'is', null)
    .where('id', 'in', [...new Set(webhooks.map((each) => each.workspace_id))])
    .execute();
  const due = [];
  for (const { id: workspaceId } of live) {
    const time = times.find((each) => each.workspace_id === workspaceId) ?? usualTime;
    const { date, atMs } = lastDue(time, nowMs);
    const at = new Date(atMs).toISOString();
    // A time that is chosen later, and a webhook that is added later, begin with the next message.
    if (time.set_at >= at) continue;
    const old = webhooks.filter(
      (each) => each.workspace_id === workspaceId && each.created_at < at,
    );
    if (old.length === 0) continue;
    const id = contentId('message', [workspaceId, 'weekly', date]);
    const written = await access
      .selectFrom('messages')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (written === undefined) {
      due.push({ workspaceId, id, atMs, webhooks: old.map((each) => each.id) });
    }
  }
  return due;
}

/** Whether there is anything to write or to send. */
export async function areMessagesDue(
  store: Pick<Store, 'access' | 'reader'>,
  nowMs: number,
): Promise<boolean> {
  const delivery = await store.access
    .selectFrom('deliveries')
    .select('message_id')
    .where('next_at', '<=', new Date(nowMs).toISOString())
    .limit(1)
    .executeTakeFirst();
  return delivery !== undefined || (await findDue(store, nowMs)).length > 0;
}

/** Counts of one round of sending. */
export interface SendCounts {
  readonly written: number;
  readonly sent: number;
  readonly failed: number;
}

/**
 * Writes each weekly message that is due, and posts every message that waits. Any number of
 * processes may do so at once: a message's id comes from its workspace and its day, and an attempt is
 * claimed before it is sent. So each message arrives at least once, always under the same id and with
 * the same bytes.
 */
export async function sendMessages(
  store: Store,
  {
    fetch,
    publicUrl,
    clock,
    signal,
    only,
  }: {
    fetch: WebhookFetch;
    publicUrl: string;
    clock: () => number;
    signal: AbortSignal;
    /** The workspace whose waiting messages alone are posted; nothing is written then. */
    only?: string | undefined;
  },
): Promise<SendCounts> {
  const { access } = store;
  let written = 0;
  const failures: unknown[] = [];
  const due = only === undefined ? await findDue(store, clock()) : [];
  for (const { workspaceId, id, atMs, webhooks } of due) {
    try {
      const message = await writeWeekly(store, { workspaceId, atMs, publicUrl });
      if (await addMessage(access, { workspaceId, id, message, webhooks, clock })) written++;
    } catch (error) {
      // The messages of other workspaces are sent before the command fails.
      failures.push(error);
    }
  }
  await giveUpArchived(store);
  const counts = { written, sent: 0, failed: 0 };
  while (!signal.aborted) {
    const waiting = await access
      .selectFrom('deliveries')
      .selectAll()
      .where('next_at', '<=', new Date(clock()).toISOString())
      .$if(only !== undefined, (query) => query.where('workspace_id', '=', only ?? ''))
      .orderBy('next_at')
      .limit(atOnce)
      .execute();
    if (waiting.length === 0) break;
    const outcomes = await Promise.all(
      waiting.map((delivery) => deliver(access, delivery, { fetch, clock, signal })),
    );
    counts.sent += outcomes.filter((outcome) => outcome === 'sent').length;
    counts.failed += outcomes.filter((outcome) => outcome === 'failed').length;
  }
  await forgetOld(access, clock() - keptDays * dayMs);
  if (failures.length > 0) throw new AggregateError(failures, String(failures[0]));
  return counts;
}

/** Writes the weekly message of a workspace from one snapshot of its data. */
async function writeWeekly(
  store: Pick<Store, 'snapshot'>,
  {
    workspaceId,
    ...when
  }: { readonly workspaceId: string; readonly atMs: number; readonly publicUrl: string },
): Promise<Message> {
  const { db, release } = await store.snapshot({ workspaceId });
  try {
    return await writeWeeklyMessage({ db, workspaceId }, when);
  } finally {
    await release();
  }
}

/** Stores a message with its deliveries, due at once. False if it is stored already. */
export function addMessage(
  db: Db,
  {
    workspaceId,
    id,
    message,
    webhooks,
    clock,
  }: {
    workspaceId: string;
    id: string;
    message: Message;
    webhooks: readonly string[];
    clock: () => number;
  },
): Promise<boolean> {
  const at = new Date(clock()).toISOString();
  const kind = message.type === 'weekly' ? 'weekly' : 'test';
  return db.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows: count } = await transaction
      .insertInto('messages')
      .values({
        workspace_id: workspaceId,
        id,
        kind,
        created_at: at,
        body: JSON.stringify(message),
      })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
      .executeTakeFirst();
    if (count !== 1n) return false;
    for (const webhookId of webhooks) {
      await transaction
        .insertInto('deliveries')
        .values({
          workspace_id: workspaceId,
          message_id: id,
          webhook_id: webhookId,
          attempts: 0,
          next_at: at,
          sent_at: null,
          fault: null,
        })
        .execute();
    }
    return true;
  });
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
