// @module-tag slow

import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { combined, drains } from '../../test/logs/drain-requests.ts';
import type { Sent } from '../../test/logs/drain-requests.ts';
import { newTenant, nowMs, startApi } from '../../test/servers/api.ts';
import type { Tenant } from '../../test/servers/api.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { addReceiver, endReceiver, listReceivers, skipsOf } from '../access/receivers.ts';
import { settleDays } from '../crawlers/hits/settle-days.ts';
import { ingestFiles } from '../crawlers/ingest/ingest.ts';
import { prepareIngest } from '../crawlers/ingest/prepare-ingest.ts';
import { createBodyReceiver } from '../crawlers/spool/receive-body.ts';
import { readSpool } from '../crawlers/spool/read-spool.ts';
import { createSpool, listSpool } from '../crawlers/spool/spool.ts';
import type { Store } from '../storage/store.ts';
import type { ReceiverHost } from '../storage/tables/key-tables.ts';

const clock = () => nowMs;
/** A server with a spool, and what one of its receivers does. */
async function serve(
  store: Store,
  { bytesMax = 1_000_000, ...more }: { bytesMax?: number } & Parameters<typeof startApi>[1] = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-spool-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const spool = createSpool({ folder: join(folder, 'spool'), bytesMax, clock });
  const api = await startApi(store, { clock, spool, trustProxy: ['127.0.0.1'], ...more });
  const tenant = await newTenant(store, { clock });
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  return { ...api, url, folder: join(folder, 'spool'), tenant };
}

type Served = Awaited<ReturnType<typeof serve>>;

async function receiverOf(store: Store, { workspaceId }: Tenant, host: ReceiverHost = 'other') {
  const site = host === 'other' ? 'www.acme.com' : null;
  return addReceiver(store, { workspaceId, host, site, clock });
}

async function post(
  { url }: Pick<Served, 'url'>,
  token: string,
  body: string | Buffer,
  { headers = {}, address = '192.0.2.50' }: Sent & { address?: string } = {},
) {
  const response = await fetch(`${url}/ingest/${token}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { 'x-forwarded-for': address, ...headers },
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** Reads the spool until it is empty. */
async function drainSpool(store: Store, folder: string): Promise<void> {
  const stop = new AbortController();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const reading = readSpool(store, folder, { clock, signal: stop.signal, onFailure });
  while ((await listSpool(folder)).length > 0 && failures.length === 0) {
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  stop.abort();
  await reading;
  expect(failures).toEqual([]);
}

/** The hits of a workspace, without what each workspace draws for itself. */
async function hitsOf(store: Store, { workspaceId }: Pick<Tenant, 'workspaceId'>) {
  await settleDays(store, workspaceId);
  const rows = await store.writer
    .selectFrom('hits')
    .select(['bot_name', 'host', 'address', 'path', 'method', 'status', 'verification', 'hit_at'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

/** What `hits ingest` makes of the same lines in a file. */
async function hitsOfFile(store: Store, lines: string) {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-file-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'access.log');
  await writeFile(path, lines);
  const tenant = await newTenant(store, { clock });
  const { signal } = new AbortController();
  const { workspaceId } = tenant;
  const options = { workspaceId, format: 'auto', host: 'www.acme.com', clock, signal };
  await ingestFiles([path], await prepareIngest(store, options), { stdin: process.stdin });
  return hitsOf(store, tenant);
}

eachStore('receivers of log lines', (open) => {
  test.each(drains)(
    'what $host sends twice, in parts and out of order gives the hits of the same lines in a file',
    async ({ host, lines, send }) => {
      const { store } = await open({ clock });
      const served = await serve(store);
      const { token, secret } = await receiverOf(store, served.tenant, host);
      const [first = '', second = ''] = lines.trim().split('\n');
      for (const part of [`${second}\n`, lines, `${first}\n`, lines]) {
        const { body, headers } = send(part, secret ?? '');
        const response = await post(served, token, body, { ...(headers && { headers }) });
        expect([response.status, response.body]).toEqual(
          host === 'cloudfront'
            ? [
                200,
                `{"requestId":"${headers?.['x-amz-firehose-request-id']}","timestamp":${nowMs}}`,
              ]
            : [host === 'vercel' ? 200 : 202, ''],
        );
        // One part is read before the next one comes.
        if (part === lines) await drainSpool(store, served.folder);
      }
      await drainSpool(store, served.folder);
      const hits = await hitsOf(store, served.tenant);
      expect(hits).toHaveLength(2);
      expect(hits).toEqual(await hitsOfFile(store, lines));
      const [receiver] = await listReceivers(store.access, served.tenant);
      expect(receiver).toMatchObject({ lines: 6, hits: 2, skipped: 0 });
    },
  );

  test('a receiver says when lines last came, and how many were skipped and why', async () => {
    const { store } = await open({ clock });
    const served = await serve(store);
    const { token } = await receiverOf(store, served.tenant);
    await post(served, token, `${combined('/a')}\n\nnot a line of a log\n`);
    await drainSpool(store, served.folder);
    const [receiver] = await listReceivers(store.access, served.tenant);
    expect(receiver).toMatchObject({ lines: 2, hits: 1, skipped: 1 });
    expect(receiver?.received_at).toMatch(/^\d{4}-/);
    expect(receiver && skipsOf(receiver)).toEqual({ unknown_format: 1 });
  });

  test('unknown, malformed and ended tokens are refused in the same bytes, before their bodies are read', async () => {
    const { store } = await open({ clock });
    const served = await serve(store);
    const { token, record } = await receiverOf(store, served.tenant);
    await endReceiver(store.access, record, { clock });
    const vercel = await receiverOf(store, served.tenant, 'vercel');
    const firehose = await receiverOf(store, served.tenant, 'cloudfront');
    const unknown = randomBytes(32).toString('base64url');
    const tokens = [unknown, token, '', '%', '%00', 'a/b', 'x'.repeat(3000), token.slice(1)];
    const responses = [
      ...(await Promise.all(tokens.map((each) => post(served, each, 'x')))),
      await post(served, vercel.token, 'x', { headers: { 'x-vercel-signature': 'ab' } }),
      await post(served, vercel.token, 'x'),
      await post(served, firehose.token, '{"records":[]}'),
    ];
    const bodies = responses.map(({ body }) =>
      JSON.stringify({ ...JSON.parse(body), request_id: '' }),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(responses[0]?.body ?? '')).toMatchObject({
      status: 404,
      code: 'unknown_receiver',
    });
    expect(responses.map(({ headers }) => headers.get('connection'))).toEqual(
      tokens.concat('', '', '').map(() => 'close'),
    );
    expect(await listSpool(served.folder)).toEqual([]);
  });

  test('an address that guesses tokens is slowed down, and a token that opens is not', async () => {
    const { store } = await open({ clock });
    const served = await serve(store);
    const { token } = await receiverOf(store, served.tenant);
    const statuses = [];
    for (let guess = 0; guess < 31; guess++) {
      statuses.push((await post(served, `guess-${guess}`, 'x')).status);
    }
    expect(statuses.slice(-2)).toEqual([404, 429]);
    expect((await post(served, token, combined('/a'))).status).toBe(202);
    expect((await post(served, 'other', 'x', { address: '192.0.2.1' })).status).toBe(404);
  });

  test('a token is never in the log', async () => {
    const { store } = await open({ clock });
    const served = await serve(store);
    const { token } = await receiverOf(store, served.tenant);
    await post(served, token, combined('/a'));
    await post(served, token.toLowerCase(), combined('/a'));
    expect(served.text()).toContain('/ingest/[redacted]');
    expect(served.text().toLowerCase()).not.toContain(token.slice(0, 8).toLowerCase());
  });
});

eachStore({ title: 'hostile senders of log lines', onBoth: false }, (open) => {
  test.each([
    ['a body over 10 MB', 413, 'body_too_large', randomBytes(10_000_001)],
    ['a bomb', 413, 'body_too_large', gzipSync(Buffer.alloc(33_000_000, 'x\n'))],
    ['a damaged body', 400, 'unreadable_body', gzipSync(combined('/a')).subarray(0, 60)],
    ['an archive', 400, 'unreadable_body', Buffer.from('504b0304000000', 'hex')],
    ['UTF-16', 400, 'unreadable_body', Buffer.from(`\ufeff${combined('/a')}`, 'utf16le')],
  ] as const)('%s is refused with %i, and nothing is stored', async (_, status, code, body) => {
    const { store } = await open({ clock });
    const served = await serve(store);
    const { token } = await receiverOf(store, served.tenant);
    const response = await post(served, token, body);
    expect([response.status, JSON.parse(response.body).code]).toEqual([status, code]);
    expect(await listSpool(served.folder)).toEqual([]);
  });

  test('a body that is cut off is not stored, and the server goes on', async () => {
    const { store } = await open({ clock });
    const served = await serve(store);
    const { token } = await receiverOf(store, served.tenant);
    const url = new URL(served.url);
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.write(
      `POST /ingest/${token} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 5000\r\n\r\n${combined('/a')}\n`,
      () => socket.destroy(),
    );
    await new Promise((resolve) => {
      socket.on('close', resolve);
    });
    expect((await post(served, token, combined('/b'))).status).toBe(202);
    const [file, ...others] = await listSpool(served.folder);
    expect(others).toEqual([]);
    expect(await readFile(file?.path ?? '', 'utf8')).toBe(`${combined('/b')}\n`);
    expect(served.lines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('a sender that never finishes its body gets 408 and is closed', async () => {
    const { store } = await open({ clock });
    const served = await serve(store, { limits: { requestMs: 300 } });
    const { token } = await receiverOf(store, served.tenant);
    const url = new URL(served.url);
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.write(
      `POST /ingest/${token} HTTP/1.1\r\nHost: ${url.host}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const drip = setInterval(() => socket.write('2\r\na\n\r\n'), 50);
    onTestFinished(() => clearInterval(drip));
    let response = '';
    socket.on('data', (bytes) => (response += String(bytes))).on('error', () => {});
    await new Promise((resolve) => {
      socket.on('close', resolve);
    });
    expect(response).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
    expect(await listSpool(served.folder)).toEqual([]);
    expect(served.lines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('bodies that together would fill the memory are refused for the time being', async () => {
    const receiveBody = createBodyReceiver({ heldBytesMax: 100 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const receive = (text: string, use: () => Promise<string>) =>
      receiveBody(Readable.from([Buffer.from(text)]), {}, use);
    const first = receive('x'.repeat(80), () => promise);
    expect(await receive('x'.repeat(30), async () => 'stored')).toBe('busy');
    resolve('stored');
    expect(await first).toBe('stored');
    expect(await receive('x'.repeat(30), async () => 'stored')).toBe('stored');
  });

  test('a full spool refuses lines for the time being', async () => {
    const { store } = await open({ clock });
    const served = await serve(store, { bytesMax: 500 });
    const { token } = await receiverOf(store, served.tenant);
    expect((await post(served, token, combined('/a'))).status).toBe(202);
    expect((await post(served, token, combined('/b'))).status).toBe(202);
    const full = await post(served, token, combined('/c'));
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await readdir(served.folder)).toHaveLength(2);
  });
});
