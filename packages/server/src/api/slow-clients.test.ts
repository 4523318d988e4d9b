// @module-tag slow

import { once } from 'node:events';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { newTenant, nowMs, startApi } from '../../test/servers/api.ts';
import type { Api, Tenant } from '../../test/servers/api.ts';
import { collect, open as openSocket, parseAnswers } from '../../test/servers/raw-socket.ts';
import { aDetection, aRun, idOf, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import type { ConnectionLimits } from './service/connection-limits.ts';

const many = 200;
const runCount = 10_000;

eachStore({ title: 'slow clients', onBoth: false }, (open) => {
  let store: Store;
  let tenant: Tenant;
  beforeAll(async () => {
    ({ store } = await open());
    tenant = await newTenant(store);
    // 12 MB: more than fits between server and client.
    const engine = 'x'.repeat(1000);
    const runs = Array.from({ length: runCount }, (_, index) =>
      aRun({ prompt_id: idOf(1), engine, run_at: new Date(nowMs - index).toISOString() }),
    );
    const detections = runs.map(({ id }) => aDetection({ run_id: id }));
    await writeRows(store, tenant.workspaceId, { runs, detections });
  });

  async function listen(limits: Partial<ConnectionLimits>): Promise<{ api: Api; port: number }> {
    const api = await startApi(store, { quota: 0, limits });
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const address = api.app.server.address();
    if (address === null || typeof address === 'string') throw new Error('It does not listen');
    return { api, port: address.port };
  }

  async function openMany(count: number, port: number, bytes: string) {
    return Promise.all(
      Array.from({ length: count }, async () => {
        const socket = await openSocket(port);
        socket.pause();
        socket.write(bytes);
        onTestFinished(() => void socket.destroy());
        return socket;
      }),
    );
  }

  async function expectServed(port: number): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/prompts`, {
      headers: { authorization: `Bearer ${tenant.key}`, connection: 'close' },
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('{"prompts":[]}');
  }

  function get(path: string, headers: readonly string[] = []): string {
    const lines = [
      `GET ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${tenant.key}`,
      ...headers,
    ];
    return `${lines.join('\r\n')}\r\n\r\n`;
  }

  test('a client that never finishes its headers gets 408 and is closed, and nobody else waits', async () => {
    const { port, api } = await listen({ headersMs: 1500, checkMs: 200 });
    const sockets = await openMany(many, port, 'GET /api/v1/prompts HTTP/1.1\r\nHost: x\r\nX-');
    await expectServed(port);
    const answers = await Promise.all(
      sockets.map(async (socket) => parseAnswers(await collect(socket))),
    );
    const outcomes = answers.map(([first, ...others]) => [first?.status, others.length]);
    expect(outcomes).toEqual(Array.from({ length: many }, () => [408, 0]));
    expect(JSON.parse(answers[0]?.[0]?.body ?? '{}')).toMatchObject({ code: 'request_timeout' });
    expect(api.lines().filter(({ status }) => status === 408)).toHaveLength(many);
  });

  test('a client that sends nothing at all is closed too', async () => {
    const { port } = await listen({ headersMs: 1000, checkMs: 200 });
    const sockets = await openMany(5, port, '');
    const closed = Promise.all(sockets.map((socket) => collect(socket)));
    await expectServed(port);
    await expect(closed).resolves.toHaveLength(5);
  });

  test(
    'a client that does not read is cut off, and its place goes to another',
    { tags: ['long'] },
    async () => {
      const { port, api } = await listen({ stallMs: 4000, keepAliveMs: 500, checkMs: 200 });
      const target = `/api/v1/detections?prompt_id=${idOf(1)}`;
      // Far more requests than may read at the same time.
      await openMany(many, port, get(target));
      const connections = () =>
        new Promise<number>((resolve, reject) => {
          api.app.server.getConnections((error, count) => {
            if (error === null) resolve(count);
            else reject(error);
          });
        });
      for (let index = 0; index < 3; index++) await expectServed(port);
      await expect.poll(connections, { interval: 200 }).toBe(0);
      const ofThem = () => api.lines().filter(({ path }) => path === '/api/v1/detections');
      await expect.poll(() => ofThem().length).toBe(many);
      // Disconnected because they did not read, or refused because no place was free.
      const statuses = new Set(ofThem().map(({ status }) => status ?? 'cut off'));
      expect(statuses.isSubsetOf(new Set(['cut off', 503]))).toBe(true);

      const response = await fetch(`http://127.0.0.1:${port}${target}`, {
        headers: { authorization: `Bearer ${tenant.key}`, connection: 'close' },
      });
      expect(response.status).toBe(200);
      await expect(response.json()).resolves.toHaveProperty('detections.length', runCount);
      expect((await api.app.inject('/metrics')).payload).toContain('overheard_open_streams 0');
    },
  );

  test.each(['identity', 'gzip', 'zstd'])(
    'a client that leaves before its response has one line in the log, and its query stops: %s',
    async (encoding) => {
      const { port, api } = await listen({});
      const socket = await openSocket(port);
      const path = `/api/v1/detections?prompt_id=${idOf(1)}`;
      socket.write(get(path, [`Accept-Encoding: ${encoding}`]));
      await once(socket, 'data');
      socket.destroy();
      await expect
        .poll(() => api.lines().map(({ msg }) => msg))
        .toContain('the client disconnected before its response was complete');
      await expect
        .poll(async () => (await api.app.inject('/metrics')).payload)
        .toContain('overheard_open_streams 0');
      expect(
        api.lines().filter(({ path: logged }) => logged === '/api/v1/detections'),
      ).toHaveLength(1);
      expect(api.lines().filter(({ level }) => Number(level) > 30)).toEqual([]);
    },
  );
});
