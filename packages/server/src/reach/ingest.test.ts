// @module-tag slow

import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { combined, drains } from '../../test/logs/drain-requests.ts';
import { newTenant, nowMs } from '../../test/servers/api.ts';
import { drainSpool, hitsOf, post, receiverOf, serve } from '../../test/servers/receivers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { endReceiver, listReceivers } from '../access/receivers.ts';
import { ingestFiles } from '../crawlers/ingest/ingest.ts';
import { prepareIngest } from '../crawlers/ingest/prepare-ingest.ts';
import { listSpool } from '../crawlers/spool/spool.ts';
import { unavailable } from '../problems.ts';
import type { Store } from '../storage/store.ts';

const clock = () => nowMs;

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
    { tags: ['once'] },
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

  test(
    'Vercel gets the code of the address for each way in which it tries an address out',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      const served = await serve(store);
      const { token, secret } = await receiverOf(store, served.tenant, 'vercel');
      const ask = async (method: string, path: string, more: RequestInit = {}) => {
        const response = await fetch(`${served.url}/ingest/${path}`, { method, ...more });
        return [response.status, response.headers.get('x-vercel-verify')];
      };
      const address = `${token}?verify=ab12`;
      const sign = (body: string) => ({
        body,
        headers: {
          'x-vercel-signature': createHmac('sha1', secret ?? '')
            .update(body)
            .digest('hex'),
        },
      });
      for (const method of ['GET', 'HEAD', 'POST']) {
        expect(await ask(method, address)).toEqual([200, 'ab12']);
      }
      expect(await ask('GET', token, { headers: { 'x-vercel-verify': 'cd34' } })).toEqual([
        200,
        'cd34',
      ]);
      expect(await ask('POST', address, { body: '[]' })).toEqual([200, 'ab12']);
      expect(await listSpool(served.folder)).toEqual([]);
      expect(await ask('POST', address, sign(combined('/a')))).toEqual([200, 'ab12']);
      expect(await listSpool(served.folder)).toHaveLength(1);
      // These are no tests: lines that are dropped must not be acknowledged.
      const forged = { body: '[]', headers: { 'x-vercel-signature': 'ab' } };
      expect((await ask('POST', address, forged))[0]).toBe(404);
      const line = combined(`/${'a'.repeat(200)}`);
      expect((await ask('POST', address, { body: line }))[0]).toBe(404);
      expect(await ask('GET', `${token}?verify=a%0Ab`)).toEqual([200, null]);
      const other = await receiverOf(store, served.tenant);
      expect(await ask('GET', `${other.token}?verify=ab12`)).toEqual([405, null]);
      expect(await ask('GET', `${'x'.repeat(43)}?verify=ab12`)).toEqual([404, null]);
    },
  );

  test(
    'a forged forwarded address in a line proves nothing: the address that the host saw counts',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      const served = await serve(store);
      const { token } = await receiverOf(store, served.tenant);
      const line = {
        timestamp: '2026-11-20T12:00:00Z',
        client_ip: '192.0.2.7',
        method: 'GET',
        url: 'https://www.acme.com/a',
        user_agent: 'GPTBot/1.3',
        x_forwarded_for: '198.51.100.4',
      };
      await post(served, token, JSON.stringify(line));
      await drainSpool(store, served.folder);
      expect(await hitsOf(store, served.tenant)).toMatchObject([
        expect.stringContaining('"address":"192.0.2.7"'),
      ]);
    },
  );

  test(
    'unknown, malformed and ended tokens are refused in the same bytes, before their bodies are read',
    { tags: ['once'] },
    async () => {
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
    },
  );

  test('while the database is away, known receivers go on at once, and what an ended one takes is dropped', async () => {
    const { store } = await open({ clock });
    let isAway = false;
    let asked = 0;
    const access = new Proxy(store.access, {
      get: (db, name) => {
        asked += 1;
        if (isAway) throw unavailable('The database is away.');
        const value: unknown = Reflect.get(db, name);
        return typeof value === 'function' ? value.bind(db) : value;
      },
    });
    const served = await serve({ ...store, access });
    const [kept, late, ended] = [
      await receiverOf(store, served.tenant),
      await receiverOf(store, served.tenant),
      await receiverOf(store, served.tenant),
    ];
    const send = async ({ token }: typeof kept, path: string) =>
      (await post(served, token, combined(path))).status;
    for (const each of [kept, late, ended]) expect(await send(each, '/before')).toBe(202);
    await drainSpool(store, served.folder);
    await endReceiver(store.access, ended.record, { clock });
    expect(await send(ended, '/ended')).toBe(404);
    isAway = true;
    await endReceiver(store.access, late.record, { clock });
    expect(await send(kept, '/away')).toBe(202);
    const before = asked;
    expect(await send(late, '/late')).toBe(202);
    expect(asked).toBe(before);
    expect(await send(ended, '/ended')).toBe(503);
    await drainSpool(store, served.folder);
    const hits = await store.reader.selectFrom('hits').select('path').orderBy('path').execute();
    expect(hits.map(({ path }) => path)).toEqual(['/away', '/before']);
  });

  test(
    'an address that guesses tokens is slowed down, and a token that opens is not',
    { tags: ['once'] },
    async () => {
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
    },
  );

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
