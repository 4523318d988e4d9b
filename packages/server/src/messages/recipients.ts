import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import { setMessageTime, usualTime } from './message-times.ts';

type Db = Kysely<AccessTables>;

/** A webhook, or a mail address as `mailto:`, that gets the messages of a workspace. */
export interface Recipient {
  readonly id: string;
  readonly workspace_id: string;
  readonly address: string;
  readonly secret: string;
  readonly created_by: string | null;
  readonly created_at: string;
  /** Whether it is told what concerns the operator, too. */
  readonly for_operator: boolean;
}

type LastDelivery = Pick<AccessTables['messages'], 'kind'> &
  Pick<AccessTables['deliveries'], 'attempts' | 'next_at' | 'sent_at' | 'fault'>;

/** A recipient with its last delivery, if there is one. */
export type ListedRecipient = Recipient & { readonly last: LastDelivery | undefined };

/** The kinds of alerts that concern the operator. */
export const operatorKinds: readonly string[] = ['backup', 'cap'];

export const addressLettersMax = 2000;
/** More than a workspace needs; it bounds what one message costs. */
export const recipientsMax = 20;

/** What every mail server takes unquoted: no comma or line break can add a second address or header. */
const mailForm = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d-]{1,63}\.)+[a-z\d-]{2,63}$/i;

/**
 * Reads the address of a recipient: of a webhook, or of mail, which gets `mailto:`. Undefined if it
 * is neither, or a webhook with a user or a password.
 */
export function parseRecipient(text: string): string | undefined {
  const typed = text.trim();
  if (typed.length > addressLettersMax) return undefined;
  if (mailForm.test(typed)) return `mailto:${typed}`;
  const url = URL.parse(typed);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.username !== '' || url.password !== '') return undefined;
  return url.href.length <= addressLettersMax ? url.href : undefined;
}

/** The mail address of a recipient; undefined for a webhook. */
export function mailOf(address: string): string | undefined {
  return address.startsWith('mailto:') ? address.slice('mailto:'.length) : undefined;
}

/** A mail address, or the host and the end of a webhook, because the path of many is a secret. */
export function shownAddress(address: string): string {
  const mail = mailOf(address);
  if (mail !== undefined) return mail;
  const { host, pathname, search } = new URL(address);
  const rest = pathname + search;
  return rest.length <= 8 ? `${host}${rest}` : `${host}/...${rest.slice(-4)}`;
}

/**
 * Adds a recipient with a new signing secret. Undefined if the workspace has `recipientsMax` already.
 * The database refuses a second recipient with the same id.
 */
export async function addRecipient(
  db: Db,
  recipient: Omit<Recipient, 'secret' | 'created_at' | 'for_operator'> &
    Partial<Pick<Recipient, 'for_operator'>>,
  { clock }: { clock: () => number },
): Promise<Recipient | undefined> {
  const others = await db
    .selectFrom('recipients')
    .select('id')
    .where('workspace_id', '=', recipient.workspace_id)
    .execute();
  if (others.length >= recipientsMax) return undefined;
  const isFirst = others.length === 0;
  // Nobody who gets messages now was told what holds, so all of it is news.
  if (isFirst) {
    await db.deleteFrom('alerts').where('workspace_id', '=', recipient.workspace_id).execute();
  } else if (recipient.for_operator === true) {
    await forgetOperatorAlerts(db, recipient.workspace_id);
  }
  const row = {
    for_operator: false,
    ...recipient,
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    created_at: new Date(clock()).toISOString(),
  };
  await db.insertInto('recipients').values(row).execute();
  await setMessageTime(db, row.workspace_id, usualTime, { clock, isFirst: true });
  return row;
}

/** Forgets what the operator was told, unless a recipient was told it. */
async function forgetOperatorAlerts(db: Db, workspaceId: string): Promise<void> {
  const told = await db
    .selectFrom('recipients')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('for_operator', '=', true)
    .limit(1)
    .executeTakeFirst();
  if (told !== undefined) return;
  await db
    .deleteFrom('alerts')
    .where('workspace_id', '=', workspaceId)
    .where('kind', 'in', operatorKinds)
    .execute();
}

/**
 * Lets a recipient be told what concerns the operator, too. It then belongs to this operator, so that
 * it ends with their account.
 */
export async function tellOperatorToo(
  db: Db,
  { workspace_id: workspaceId, id }: Pick<Recipient, 'workspace_id' | 'id'>,
  operatorId: string,
): Promise<void> {
  await forgetOperatorAlerts(db, workspaceId);
  await db
    .updateTable('recipients')
    .set({ for_operator: true, created_by: operatorId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** Lists the recipients of a workspace, the oldest first, each with its last delivery. */
export async function listRecipients(db: Db, workspaceId: string): Promise<ListedRecipient[]> {
  const recipients = await db
    .selectFrom('recipients')
    .select(['id', 'workspace_id', 'address', 'secret'])
    .select(['created_by', 'created_at', 'for_operator'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const deliveries = await db
    .selectFrom('deliveries')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.workspace_id', '=', 'deliveries.workspace_id')
        .onRef('messages.id', '=', 'deliveries.message_id'),
    )
    .select(['recipient_id', 'kind', 'attempts', 'next_at', 'sent_at', 'fault'])
    .where('deliveries.workspace_id', '=', workspaceId)
    .orderBy('messages.created_at', 'desc')
    .orderBy('messages.id', 'desc')
    .execute();
  return recipients.map((recipient) => ({
    ...recipient,
    for_operator: Boolean(recipient.for_operator),
    last: deliveries.find((delivery) => delivery.recipient_id === recipient.id),
  }));
}

/** Removes a recipient with its deliveries. False if the workspace has none with this id. */
export async function removeRecipient(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recipients')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  await db
    .deleteFrom('deliveries')
    .where('workspace_id', '=', workspaceId)
    .where('recipient_id', '=', id)
    .execute();
  return numDeletedRows > 0n;
}

/**
 * The headers that identify and sign a message, as Standard Webhooks describes:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedHeaders(
  { id, body }: { id: string; body: string },
  { secret, nowMs }: { secret: string; nowMs: number },
): Readonly<Record<string, string>> {
  const seconds = Math.floor(nowMs / 1000);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}
