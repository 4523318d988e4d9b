import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';

type Db = Kysely<AccessTables>;

/** An address to which the messages of a workspace are posted. */
export interface Webhook {
  readonly id: string;
  readonly workspace_id: string;
  readonly url: string;
  readonly secret: string;
  readonly created_by: string | null;
  readonly created_at: string;
}

/** A webhook with its last delivery, if there is one. */
export interface ListedWebhook extends Webhook {
  readonly last:
    | {
        readonly kind: string;
        readonly attempts: number;
        readonly next_at: string | null;
        readonly sent_at: string | null;
        readonly fault: string | null;
      }
    | undefined;
}

const urlLettersMax = 2000;
/** More receivers than a workspace needs; it bounds what one message costs. */
export const webhooksMax = 20;

/** Reads the address of a webhook. Undefined if it is not http(s), or has a user or a password. */
export function parseWebhookUrl(text: string): string | undefined {
  const url = URL.parse(text.trim());
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.username !== '' || url.password !== '') return undefined;
  return url.href.length <= urlLettersMax ? url.href : undefined;
}

/** The host and the end of an address, because the path of many webhooks is a secret. */
export function shownUrl(url: string): string {
  const { host, pathname, search } = new URL(url);
  const rest = pathname + search;
  return rest.length <= 8 ? `${host}${rest}` : `${host}/...${rest.slice(-4)}`;
}

/**
 * Adds a webhook with a new signing secret. Undefined if the workspace has `webhooksMax` already.
 * The database refuses a second webhook with the same id.
 */
export async function addWebhook(
  db: Db,
  webhook: Pick<Webhook, 'id' | 'workspace_id' | 'url' | 'created_by'>,
  { clock }: { clock: () => number },
): Promise<Webhook | undefined> {
  const { count } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('workspace_id', '=', webhook.workspace_id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= webhooksMax) return undefined;
  const row = {
    ...webhook,
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    created_at: new Date(clock()).toISOString(),
  };
  await db.insertInto('webhooks').values(row).execute();
  return row;
}

/** Lists the webhooks of a workspace, the oldest first, each with its last delivery. */
export async function listWebhooks(db: Db, workspaceId: string): Promise<ListedWebhook[]> {
  const webhooks = await db
    .selectFrom('webhooks')
    .selectAll()
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
    .select(['webhook_id', 'kind', 'attempts', 'next_at', 'sent_at', 'fault'])
    .where('deliveries.workspace_id', '=', workspaceId)
    .orderBy('messages.created_at', 'desc')
    .orderBy('messages.id', 'desc')
    .execute();
  return webhooks.map((webhook) => ({
    ...webhook,
    last: deliveries.find((delivery) => delivery.webhook_id === webhook.id),
  }));
}

/** Removes a webhook with its deliveries. False if the workspace has none with this id. */
export async function removeWebhook(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  await db
    .deleteFrom('deliveries')
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', id)
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
