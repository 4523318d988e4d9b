import { problemCodes, problemPath, problems } from '@overheard/contract';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { call, newTenant, nowMs, publicUrl, startApi } from '../../test/servers/api.ts';
import type { Tenant } from '../../test/servers/api.ts';
import {
  withFailingReads,
  withFailingSnapshots,
  withInterruptedRead,
} from '../../test/stores/failing-store.ts';
import { aDetection, aRun, idOf, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';

const long = `/api/v1/detections?prompt_id=${idOf(1)}`;

/** Words of database errors. No response may contain them. */
const secret =
  'syntax error at "select hash from keys" near Geheimnis; password=hunter2 at /srv/x.ts:1';

eachStore('a failure', (open) => {
  let store: Store;
  let tenant: Tenant;
  beforeAll(async () => {
    ({ store } = await open());
    tenant = await newTenant(store);
    const runs = Array.from({ length: 1401 }, (_, index) =>
      aRun({ prompt_id: idOf(1), run_at: new Date(nowMs - index).toISOString() }),
    );
    const detections = runs.map(({ id }) => aDetection({ run_id: id }));
    await writeRows(store, tenant.workspaceId, { runs, detections });
  });
  /** A store in which another process writes during the first short read. */
  const overtaken = () =>
    withInterruptedRead(store, () => writeRows(store, tenant.workspaceId, {}));

  test.each([
    ['of the keys', (error: Error): Partial<Store> => ({ findKey: () => Promise.reject(error) })],
    ['of the quota', (error: Error): Partial<Store> => ({ admit: () => Promise.reject(error) })],
    ['of a read', (error: Error): Partial<Store> => withFailingReads(store, error)],
    ['of a long read', (error: Error) => ({ snapshot: () => Promise.reject(error) })],
    ['in a long read', (error: Error) => withFailingSnapshots(store, 0, error)],
    [
      'of a read that a write has overtaken',
      (error: Error) => withFailingSnapshots(overtaken(), 1, error),
    ],
  ])(
    'a failure reveals nothing to the client, and everything to the log: %s',
    async (_of, failing) => {
      const api = await startApi({ ...store, ...failing(new Error(secret)) });
      const headers = { 'accept-encoding': 'gzip', host: 'evil.example' };
      const response = await call(api, long, { key: tenant.key, headers });
      const id = response.headers['x-request-id'];
      expect(response.body).toBe(
        JSON.stringify({
          type: `${publicUrl}/errors/internal_error`,
          title: problems.internal_error.title,
          status: 500,
          detail: 'The failure is in the log under this request id.',
          code: 'internal_error',
          request_id: id,
        }),
      );
      expect(response.statusCode).toBe(500);
      expect(response.headers).toMatchObject({
        'content-type': 'application/problem+json; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(response.headers).not.toHaveProperty('content-encoding');
      expect(response.headers).not.toHaveProperty('etag');
      const line = api.lines().find(({ msg }) => msg === 'request failed');
      expect(line).toMatchObject({ request_id: id, err: { message: secret } });
    },
  );

  test('an unreachable database is 503 with Retry-After, wherever it happens', async () => {
    const lost = Object.assign(new Error(`connect ECONNREFUSED ${secret}`), {
      code: 'ECONNREFUSED',
      errcode: 10,
    });
    const stores: ReadonlyArray<Partial<Store>> = [
      { findKey: () => Promise.reject(lost) },
      { admit: () => Promise.reject(lost) },
      withFailingReads(store, lost),
      { snapshot: () => Promise.reject(lost) },
      withFailingSnapshots(store, 0, lost),
      withFailingSnapshots(overtaken(), 1, lost),
    ];
    for (const failing of stores) {
      const api = await startApi({ ...store, ...failing });
      const response = await call(api, long, { key: tenant.key });
      expect(response.statusCode).toBe(503);
      expect(response.headers['retry-after']).toBe('5');
      expect(response.json()).toMatchObject({ code: 'unavailable', status: 503 });
      expect(response.body).not.toContain('ECONNREFUSED');
    }
    const down = await startApi({ ...store, ping: () => Promise.reject(lost) });
    expect((await call(down, '/readyz')).statusCode).toBe(503);
    expect((await call(down, '/healthz')).statusCode).toBe(200);
  });

  test('a request whose database hangs gets 503, wherever it hangs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const step of ['findKey', 'admit', 'snapshot'] as const) {
      const begun = Promise.withResolvers<void>();
      const hanging = () => {
        begun.resolve();
        return new Promise<never>(() => {});
      };
      const api = await startApi({ ...store, [step]: hanging });
      const answer = call(api, long, { key: tenant.key });
      await begun.promise;
      await vi.advanceTimersByTimeAsync(9000);
      const response = await answer;
      expect(response.statusCode, step).toBe(503);
      expect(response.json().code).toBe('unavailable');
      expect(response.headers['retry-after']).toBe('5');
    }
  });

  test('a failure in the middle of a long response leaves it visibly incomplete, and is logged', async () => {
    const api = await startApi(withFailingSnapshots(store, 7, new Error(secret)));
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const send = (encoding: string) =>
      fetch(url + long, {
        headers: { authorization: `Bearer ${tenant.key}`, 'accept-encoding': encoding },
      });
    const plain = await send('identity');
    expect(plain.status).toBe(200);
    await expect(plain.text()).rejects.toThrow('terminated');
    // An encoder may still buffer the first bytes. Then the response can still become a problem.
    const encoded = await send('gzip');
    const outcome = await encoded.text().then(
      (text) => JSON.parse(text).code,
      (error: Error) => error.message,
    );
    expect(outcome).toBe(encoded.status === 200 ? 'terminated' : 'internal_error');
    await expect
      .poll(() => api.lines().filter(({ msg }) => msg === 'a long response was cut off'))
      .toHaveLength(2);
    expect(api.lines().filter(({ path: of }) => of === '/api/v1/detections')).toHaveLength(2);
  });
});

eachStore({ title: 'a read that ends too late', onBoth: false }, (open) => {
  test(
    'a read that ends after its request got 503 gives its place back',
    { tags: ['long'] },
    async () => {
      const { store } = await open();
      const { workspaceId, key } = await newTenant(store);
      const runs = Array.from({ length: 201 }, () => aRun({ prompt_id: idOf(1) }));
      const detections = runs.map(({ id }) => aDetection({ run_id: id }));
      await writeRows(store, workspaceId, { runs, detections });
      let released = 0;
      const snapshot: Store['snapshot'] = async (options) => {
        await new Promise((resolve) => {
          setTimeout(resolve, 10_000);
        });
        const late = await store.snapshot(options);
        const release = () => {
          released += 1;
          return late.release();
        };
        return { ...late, release };
      };
      const response = await call(await startApi({ ...store, snapshot }), long, { key });
      expect(response.statusCode).toBe(503);
      expect(response.json().code).toBe('unavailable');
      expect(response.headers['retry-after']).toBe('5');
      expect(released).toBe(0);
      await expect.poll(() => released).toBe(1);
    },
  );
});

eachStore({ title: 'the page of a problem', onBoth: false }, (open) => {
  test('the page of each problem says what happened and how to fix it', async () => {
    const { store } = await open();
    const api = await startApi(store);
    for (const code of problemCodes) {
      const response = await call(api, problemPath(code));
      expect(response.statusCode, code).toBe(200);
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
      const { title, status, meaning, fix } = problems[code];
      const text = response.body
        .replaceAll(/<\/?code>/g, '`')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>');
      for (const sentence of [title, String(status), meaning, fix])
        expect(text).toContain(sentence);
      expect((await call(api, problemPath(code), { method: 'HEAD' })).statusCode).toBe(200);
    }
  });
});
