import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { newId } from '../values/uuid.ts';
import { testMessage } from './message.ts';
import type { Message } from './message.ts';

type Db = Kysely<AccessTables>;

/** Writes a test message. It replaces an earlier one that still waits for a recipient. */
export async function writeTest(
  { access: db }: Pick<Store, 'access'>,
  {
    workspace: { id: workspaceId, slug },
    recipients,
    clock,
  }: {
    workspace: { id: string; slug: string };
    recipients: readonly string[];
    clock: () => number;
  },
): Promise<void> {
  const message = testMessage(slug, clock());
  await db.transaction().execute(async (access) => {
    const tests = access
      .selectFrom('messages')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', 'test');
    await access
      .updateTable('deliveries')
      .set({ next_at: null })
      .where('workspace_id', '=', workspaceId)
      .where('recipient_id', 'in', recipients)
      .where('message_id', 'in', tests)
      .where('next_at', 'is not', null)
      .execute();
    const id = newId(clock);
    await insertMessage(access, { workspaceId, id, kind: 'test', message, recipients, clock });
  });
}

/**
 * Stores a message with its deliveries, due at once, in the caller's transaction. Returns 0 if it is
 * stored already, else 1.
 */
export async function insertMessage(
  access: Db,
  {
    workspaceId,
    id,
    kind,
    message,
    recipients,
    clock,
  }: {
    workspaceId: string;
    id: string;
    kind: string;
    message: Message;
    recipients: readonly string[];
    clock: () => number;
  },
): Promise<number> {
  const at = new Date(clock()).toISOString();
  const body = JSON.stringify(message);
  const { numInsertedOrUpdatedRows: count } = await access
    .insertInto('messages')
    .values({ workspace_id: workspaceId, id, kind, created_at: at, body })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
    .executeTakeFirst();
  if (count !== 1n) return 0;
  const of = { workspace_id: workspaceId, message_id: id };
  const fresh = { attempts: 0, next_at: at, sent_at: null, fault: null };
  for (const recipient of recipients) {
    await access
      .insertInto('deliveries')
      .values({ ...of, recipient_id: recipient, ...fresh })
      .execute();
  }
  return 1;
}
