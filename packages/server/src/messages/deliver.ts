import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import { dayMs } from '../values/time/utc-day.ts';
import { parseJson } from '../values/json.ts';
import { messageSchema } from './message.ts';
import type { Message } from './message.ts';
import { mailOf, signedHeaders } from './recipients.ts';

type Db = Kysely<AccessTables>;

/** A `fetch` that refuses addresses as it connects. */
export type WebhookFetch = (
  url: string,
  init: {
    method: 'POST';
    headers: Readonly<Record<string, string>>;
    body: string;
    redirect: 'manual';
    signal: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  readonly body: { cancel(): Promise<void> } | null;
}>;

/** How messages leave. */
export interface Transports {
  readonly fetch: WebhookFetch;
  /** How long a webhook may take to respond. */
  readonly timeoutMs?: number;
  /** Undefined if no mail server is set. */
  readonly sendMail?: SendMail | undefined;
}

/** Why an attempt failed, in words of ours, and whether another one would fail, too. */
export interface DeliveryFault {
  readonly words: string;
  readonly isFinal: boolean;
}

/** Sends a message by mail. Returns undefined if the mail server took it. */
export type SendMail = (mail: {
  readonly to: string;
  readonly id: string;
  readonly message: Message;
  readonly signal: AbortSignal;
}) => Promise<DeliveryFault | undefined>;

/** A claim holds for this long, so that a killed sender delays its message, and nobody else's. */
const firstWaitMs = 60_000;
const waitMaxMs = 2 * 3_600_000;
const patienceMs = dayMs;

/** Claims a delivery, posts its message, and stores the outcome. */
export async function deliver(
  db: Db,
  delivery: AccessTables['deliveries'],
  {
    fetch,
    timeoutMs = 15_000,
    sendMail,
    clock,
    signal,
  }: Transports & { clock: () => number; signal: AbortSignal },
): Promise<'sent' | 'failed' | 'taken'> {
  const {
    workspace_id: workspaceId,
    message_id: id,
    recipient_id: recipientId,
    attempts,
  } = delivery;
  const ofDelivery = () =>
    db
      .updateTable('deliveries')
      .where('workspace_id', '=', workspaceId)
      .where('message_id', '=', id)
      .where('recipient_id', '=', recipientId);
  const waitMs = Math.min(firstWaitMs * 2 ** attempts, waitMaxMs);
  const { numUpdatedRows } = await ofDelivery()
    .set({ attempts: attempts + 1, next_at: new Date(clock() + waitMs).toISOString() })
    .where('attempts', '=', attempts)
    .where('next_at', '=', delivery.next_at)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return 'taken';
  const [message, recipient] = await Promise.all([
    db
      .selectFrom('messages')
      .select(['body', 'created_at'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst(),
    db
      .selectFrom('recipients')
      .select(['address', 'secret'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', recipientId)
      .executeTakeFirst(),
  ]);
  // Removed meanwhile.
  if (message === undefined || recipient === undefined) {
    await ofDelivery().set({ next_at: null }).execute();
    return 'taken';
  }
  const { body } = message;
  const to = mailOf(recipient.address);
  const fault =
    to === undefined
      ? await post(
          {
            url: recipient.address,
            headers: signedHeaders({ id, body }, { ...recipient, nowMs: clock() }),
            body,
          },
          { fetch, timeoutMs, signal },
        )
      : await mail(sendMail, { to, id, body, signal });
  if (fault === undefined) {
    const sentAt = new Date(clock()).toISOString();
    await ofDelivery().set({ next_at: null, sent_at: sentAt, fault: null }).execute();
    return 'sent';
  }
  const isOver = fault.isFinal || clock() - Date.parse(message.created_at) >= patienceMs;
  await ofDelivery()
    .set({ fault: fault.words, ...(isOver && { next_at: null }) })
    .execute();
  return 'failed';
}

async function mail(
  sendMail: SendMail | undefined,
  { body, ...where }: Omit<Parameters<SendMail>[0], 'message'> & { readonly body: string },
): Promise<DeliveryFault | undefined> {
  const message = messageSchema.safeParse(parseJson(body)).data;
  if (sendMail === undefined || message === undefined) return toFault('mail is not set up');
  return sendMail({ ...where, message });
}

/**
 * Posts a message. Follows no redirect and reads nothing of the response. Returns undefined if it
 * arrived.
 */
async function post(
  { url, ...request }: { url: string; headers: Readonly<Record<string, string>>; body: string },
  { fetch, timeoutMs, signal }: { fetch: WebhookFetch; timeoutMs: number; signal: AbortSignal },
): Promise<DeliveryFault | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { status, body } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
      ...request,
    });
    await body?.cancel();
    if (status >= 200 && status < 300) return undefined;
    return { words: `HTTP ${status}`, isFinal: status === 410 };
  } catch (error) {
    if (timeout.aborted) return toFault('no response');
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const isPrivate = code === 'address_not_public' || code === 'address_of_credentials';
    return toFault(isPrivate ? 'private address' : 'no connection');
  }
}

/** A fault that may be over at the next attempt. */
export function toFault(words: string): DeliveryFault {
  return { words, isFinal: false };
}
