import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { newTenant } from '../../test/servers/api.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { createEngineFetch } from '../collect/ask/engine-fetch.ts';
import type { Store } from '../storage/store.ts';
import { newId } from '../values/uuid.ts';
import { setMessageTime, usualTime } from './message-times.ts';
import { areMessagesDue, sendMessages } from './send-messages.ts';
import type { WebhookFetch } from './deliver.ts';
import { addRecipient, listRecipients, removeRecipient } from './recipients.ts';
import { writeTest } from './insert-message.ts';

const minuteMs = 60_000;
/** A Monday. */
const dueMs = Date.parse('2026-11-23T08:00:00Z');
const anywhere = createEngineFetch({ mayReachPrivate: true });

eachStore('messages', (open) => {
  test('each webhook gets the weekly message of its workspace once, signed, until it is removed, and no other workspace gets it', async () => {
    const { store, receiver, workspaceId, slug, send, recipientId, clock } = await aPlace(open);
    const other = await newTenant(store);
    const otherReceiver = await startReceiver();
    await addAt(store, other.workspaceId, otherReceiver.url);
    expect(await send()).toEqual({ written: 2, sent: 2, failed: 0 });
    expect(await send()).toEqual({ written: 0, sent: 0, failed: 0 });
    const slugsOf = ({ seen }: Receiver) => seen.map(({ body }) => JSON.parse(body).data.workspace);
    expect(slugsOf(receiver)).toEqual([slug]);
    expect(slugsOf(otherReceiver)).toEqual([other.slug]);
    const [{ id, body, seconds, signature } = nothing] = receiver.seen;
    const [webhook] = await listRecipients(store.access, workspaceId);
    const key = Buffer.from(webhook?.secret.slice('whsec_'.length) ?? '', 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
    expect(signature).toBe(`v1,${expected}`);
    expect(JSON.parse(body)).toMatchObject({
      type: 'weekly',
      text: expect.stringContaining('http://overheard.example/w/'),
      data: { from: '2026-10-26', to: '2026-11-22' },
    });
    expect(webhook?.last).toMatchObject({ attempts: 1, next_at: null, fault: null });
    await removeRecipient(store.access, { workspaceId, id: recipientId });
    clock.ms += 7 * 24 * 60 * minuteMs;
    expect(await send()).toMatchObject({ written: 1, sent: 1 });
    expect(receiver.seen).toHaveLength(1);
  });

  test('two senders and a receiver that is down for an hour give one message under one id', async () => {
    const { store, receiver, send, clock } = await aPlace(open);
    for (let minutes = 0; minutes < 60; minutes += 1) {
      receiver.status = [503, 404, 408, 429][receiver.seen.length % 4] ?? 503;
      await Promise.all([send(), send()]);
      clock.ms += minuteMs;
    }
    // After 0, 1, 3, 7, 15 and 31 minutes.
    expect(receiver.seen).toHaveLength(6);
    receiver.status = 204;
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await Promise.all([send(), send()]);
      clock.ms += minuteMs;
    }
    expect(receiver.seen).toHaveLength(7);
    expect(new Set(receiver.seen.map(({ id, body }) => id + body)).size).toBe(1);
    expect(await areMessagesDue(store, clock.ms)).toBe(false);
  });

  test('a sender that is killed while it sends leaves the message to the next one, under the same id', async () => {
    const { receiver, send, clock } = await aPlace(open);
    const killed = send({
      // It never comes back, like a process that is gone.
      fetch: async (url, init) => {
        await anywhere(url, init);
        return new Promise(() => {});
      },
    });
    await expect.poll(() => receiver.seen.length).toBe(1);
    void killed;
    expect(await send()).toEqual({ written: 0, sent: 0, failed: 0 });
    clock.ms += minuteMs;
    expect(await send()).toEqual({ written: 0, sent: 1, failed: 0 });
    expect(new Set(receiver.seen.map(({ id, body }) => id + body)).size).toBe(1);
  });

  test('a redirect is not followed, a private address gets no connection, and neither stops another webhook', async () => {
    const { store, receiver, workspaceId, send, clock } = await aPlace(open);
    const elsewhere = await startReceiver();
    receiver.respond = (response) => response.writeHead(307, { location: elsewhere.url }).end();
    const good = await startReceiver();
    await addAt(store, workspaceId, good.url);
    expect(await send()).toEqual({ written: 1, sent: 1, failed: 1 });
    expect(elsewhere.seen).toEqual([]);
    const publicOnly = createEngineFetch({ mayReachPrivate: false });
    clock.ms += minuteMs;
    await send({ fetch: (url, init) => publicOnly(url, init) });
    expect(receiver.seen).toHaveLength(1);
    const webhooks = await listRecipients(store.access, workspaceId);
    const first = webhooks.find(({ address }) => address === receiver.url);
    expect(first?.last).toMatchObject({ attempts: 2, fault: 'private address' });
  });

  test('a receiver that never responds costs a round one wait, and keeps no other webhook from its message', async () => {
    const { store, receiver, recipientId, workspaceId, slug, send, clock, signal } =
      await aPlace(open);
    receiver.respond = () => {};
    const good = await startReceiver();
    await addAt(store, workspaceId, good.url);
    const workspace = { id: workspaceId, slug };
    const recipients = [recipientId];
    // The second test replaces the first.
    await writeTest(store, { workspace, recipients, clock: () => clock.ms });
    await writeTest(store, { workspace, recipients, clock: () => clock.ms });
    // The good receiver may be slow.
    const fetch: WebhookFetch = (url, init) =>
      anywhere(url, url === good.url ? { ...init, signal } : init);
    const round = () => send({ fetch, timeoutMs: 50 });
    expect(await round()).toEqual({ written: 1, sent: 1, failed: 1 });
    expect(await round()).toEqual({ written: 0, sent: 0, failed: 1 });
    expect(good.seen).toHaveLength(1);
    expect(await round()).toEqual({ written: 0, sent: 0, failed: 0 });
  });

  test('a receiver whose response has no end costs no memory, and its message has arrived', async () => {
    const { receiver, send } = await aPlace(open);
    const chunk = Buffer.alloc(1_000_000);
    let sentBytes = 0;
    receiver.respond = (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
      };
      response.on('drain', more);
      more();
    };
    expect(await send()).toEqual({ written: 1, sent: 1, failed: 0 });
    expect(sentBytes).toBeLessThan(50_000_000);
  });

  test('a message that does not arrive for a day is given up', { tags: ['once'] }, async () => {
    const { store, receiver, workspaceId, send, clock } = await aPlace(open);
    receiver.status = 500;
    for (let hours = 0; hours < 40; hours += 1) {
      await send();
      clock.ms += 60 * minuteMs;
    }
    const [webhook] = await listRecipients(store.access, workspaceId);
    expect(webhook?.last).toMatchObject({ fault: 'HTTP 500', next_at: null, sent_at: null });
    expect(receiver.seen.length).toBeLessThan(30);
  });
});

eachStore('messages of several workspaces', (open) => {
  test('a chosen time begins with its next moment, so no message is sent twice', async () => {
    const { store, workspaceId, send, clock } = await aPlace(open);
    expect(await send()).toMatchObject({ written: 1 });
    clock.ms += 25 * 60 * minuteMs;
    for (const weekday of [5, 2]) {
      const time = { ...usualTime, weekday };
      await setMessageTime(store.access, workspaceId, time, { clock: () => clock.ms });
      expect(await send()).toMatchObject({ written: 0 });
    }
  });

  test('an archived workspace gets no further attempt', async () => {
    const { store, receiver, workspaceId, send, clock } = await aPlace(open);
    receiver.status = 503;
    await send();
    await store.writer
      .updateTable('workspaces')
      .set({ archived_at: new Date(clock.ms).toISOString() })
      .where('id', '=', workspaceId)
      .execute();
    clock.ms += 60 * minuteMs;
    await send();
    expect(receiver.seen).toHaveLength(1);
    expect(await areMessagesDue(store, clock.ms)).toBe(false);
  });

  test('a workspace whose message cannot be written keeps no other one from its message', async () => {
    const { store, receiver, send } = await aPlace(open);
    const broken = await newTenant(store);
    await addAt(store, broken.workspaceId, receiver.url);
    const snapshot: typeof store.snapshot = (options) =>
      options.workspaceId === broken.workspaceId
        ? Promise.reject(new Error('damaged'))
        : store.snapshot(options);
    await expect(send({ of: { ...store, snapshot } })).rejects.toThrow('damaged');
    expect(receiver.seen).toHaveLength(1);
  });
});

const nothing = { id: '', body: '', seconds: '', signature: '' };

interface Receiver {
  url: string;
  status: number;
  respond: ((response: ServerResponse) => void) | undefined;
  readonly seen: Array<typeof nothing>;
}

/** A receiver of messages, which keeps what it got. */
async function startReceiver() {
  const receiver: Receiver = { url: '', status: 204, respond: undefined, seen: [] };
  const header = ({ headers }: IncomingMessage, name: string) => String(headers[name] ?? '');
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      receiver.seen.push({
        id: header(request, 'webhook-id'),
        seconds: header(request, 'webhook-timestamp'),
        signature: header(request, 'webhook-signature'),
        body,
      });
      if (receiver.respond === undefined) response.writeHead(receiver.status).end();
      else receiver.respond(response);
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  receiver.url = `http://127.0.0.1:${port}/hook`;
  return receiver;
}

async function addAt(store: Store, workspaceId: string, url: string, atMs = dueMs - 1) {
  const clock = () => atMs;
  const webhook = { id: newId(clock), workspace_id: workspaceId, address: url, created_by: null };
  await addRecipient(store.access, webhook, { clock });
  return webhook.id;
}

/** A workspace with a webhook, a minute after its message is due. */
async function aPlace(
  open: Parameters<Parameters<typeof eachStore>[1]>[0],
  { addedMs = dueMs - 1 }: { addedMs?: number } = {},
) {
  const { store } = await open();
  const { workspaceId, slug } = await newTenant(store);
  const receiver = await startReceiver();
  const recipientId = await addAt(store, workspaceId, receiver.url, addedMs);
  const clock = { ms: dueMs + minuteMs };
  const { signal } = new AbortController();
  const send = ({
    fetch = anywhere,
    of = store,
    only,
    timeoutMs = 15_000,
  }: { fetch?: WebhookFetch; of?: Store; only?: string; timeoutMs?: number } = {}) =>
    sendMessages(of, {
      only,
      timeoutMs,
      fetch: (url, init) => fetch(url, init),
      publicUrl: 'http://overheard.example',
      clock: () => clock.ms,
      signal,
    });
  return { store, workspaceId, slug, receiver, recipientId, send, clock, signal };
}
