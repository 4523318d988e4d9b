import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../access/keys.ts';
import { call, newTenant, nowMs, startApi } from '../../test/servers/api.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { sqlitePath } from '../storage/open/database-url.ts';
import { databaseFiles } from '../storage/sqlite/files/files.ts';
import { openHandle } from '../storage/sqlite/handle.ts';
import type { Store } from '../storage/store.ts';

const path = '/api/v1/actions';

eachStore('the quota at the front door', (open) => {
  let store: Store;
  let now = nowMs;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => now }));
  });

  test('the quota at the front door counts every authenticated GET and HEAD: 200, 304 and 400 alike', async () => {
    const api = await startApi(store);
    const { key } = await newTenant(store);
    const left = async (url: string, options: Parameters<typeof call>[2]) =>
      (await call(api, url, { key, ...options })).headers['ratelimit'];
    const headers = { 'if-none-match': '*' };
    expect(await left(path, {})).toBe('"actions";r=299;t=3600');
    expect(await left(path, { method: 'HEAD' })).toBe('"actions";r=298;t=3600');
    expect(await left(path, { headers })).toBe('"actions";r=297;t=3600');
    expect(await left(`${path}?stauts=open`, {})).toBe('"actions";r=296;t=3600');
    expect(await left(`${path}?status=open`, {})).toBe('"actions";r=295;t=3600');
  });

  test('the quota at the front door counts no 401, 404, 405, 429 or OPTIONS', async () => {
    const api = await startApi(store, { quota: 2 });
    const { key } = await newTenant(store);
    const free: ReadonlyArray<readonly [string, Parameters<typeof call>[2]]> = [
      [path, {}],
      [path, { key: 'wrong' }],
      [`${path}/`, { key }],
      [path, { key, method: 'POST' }],
      [path, { key, method: 'OPTIONS' }],
      ['/healthz', { key }],
      ['/api/v1/openapi.json', { key }],
    ];
    for (const [url, options] of free) {
      expect((await call(api, url, options)).headers).not.toHaveProperty('ratelimit');
    }
    expect((await call(api, path, { key })).headers['ratelimit']).toBe('"actions";r=1;t=3600');
    now += 1000;
    expect((await call(api, path, { key })).headers['ratelimit']).toBe('"actions";r=0;t=3599');
    for (let index = 0; index < 3; index++) {
      const refused = await call(api, path, { key });
      expect(refused.statusCode).toBe(429);
      expect(refused.headers).toMatchObject({
        ratelimit: '"actions";r=0;t=3599',
        'retry-after': '3599',
      });
    }
    now += 3_599_000;
    expect((await call(api, path, { key })).statusCode).toBe(200);
  });

  test('all keys of a workspace share one quota per endpoint', async () => {
    const api = await startApi(store, { quota: 2 });
    const { key, workspaceId } = await newTenant(store);
    const { key: second } = await createKey(store, { workspaceId, name: 'two', clock: () => now });
    const other = await newTenant(store);
    expect((await call(api, path, { key })).statusCode).toBe(200);
    expect((await call(api, path, { key: second })).statusCode).toBe(200);
    expect((await call(api, path, { key })).statusCode).toBe(429);
    expect((await call(api, path, { key: second })).statusCode).toBe(429);
    const elsewhere = await call(api, '/api/v1/scores', { key });
    expect(elsewhere.headers['ratelimit']).toBe('"scores";r=1;t=3600');
    const others = await call(api, path, { key: other.key });
    expect(others.headers['ratelimit']).toBe('"actions";r=1;t=3600');
  });
});

eachStore('counters that cannot be written', (open, dialect) => {
  test('counters that cannot be written stop no read, which is counted in a metric and logged once a minute', async () => {
    const { store } = await open();
    let now = nowMs;
    const api = await startApi(store, { quota: 1, clock: () => now });
    const { key } = await newTenant(store);
    await sql`drop table quota_log`.execute(store.access);
    for (const aheadMs of [0, 1, 59_999, 60_000]) {
      now = nowMs + aheadMs;
      const response = await call(api, path, { key });
      expect(response.statusCode).toBe(200);
      expect(response.headers['ratelimit-policy']).toBe('"actions";q=1;w=3600');
      expect(response.headers).not.toHaveProperty('ratelimit');
    }
    const warnings = api.lines().filter(({ msg }) => msg === 'the quota could not be counted');
    expect(warnings.map(({ level, failures }) => ({ level, failures }))).toEqual([
      { level: 40, failures: 1 },
      { level: 40, failures: 3 },
    ]);
    const { body } = await call(api, '/metrics');
    expect(body).toContain('overheard_quota_failures_total 4');
  });

  // PostgreSQL waits for the row until the statement times out.
  if (dialect === 'postgres') return;

  test('a request waits for its count while another process holds the file for a moment', async () => {
    const { store, url } = await open();
    const api = await startApi(store);
    const { key } = await newTenant(store);
    expect((await call(api, path, { key })).statusCode).toBe(200);
    const holder = openHandle(databaseFiles(sqlitePath(url)).access);
    onTestFinished(() => holder.close());
    holder.exec('begin immediate');
    const released = setTimeout(150).then(() => holder.exec('commit'));
    const { headers } = await call(api, path, { key });
    expect(headers['ratelimit']).toMatch(/^"actions";r=298;/);
    await released;
  });

  test('counters in a locked file stop no read, and are written later', async () => {
    const { store, url } = await open();
    const api = await startApi(store);
    const { key } = await newTenant(store);
    expect((await call(api, path, { key })).headers['ratelimit']).toBe('"actions";r=299;t=3600');
    const holder = openHandle(databaseFiles(sqlitePath(url)).access);
    onTestFinished(() => holder.close());
    holder.exec('begin immediate');
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => call(api, path, { key })),
      );
      for (const { statusCode, headers } of responses) {
        expect(statusCode).toBe(200);
        expect(headers).not.toHaveProperty('ratelimit');
      }
    }
    expect(
      api.lines().filter(({ msg }) => /not be (counted|stored)/.test(String(msg))),
    ).toHaveLength(2);
    holder.exec('commit');
    // The quota still counts the 50 requests.
    expect((await call(api, path, { key })).headers['ratelimit']).toMatch(/^"actions";r=248;/);
  });

  test('counters that cannot be written count a request that passed uncounted at its own time', async () => {
    let now = nowMs;
    const { store, url } = await open({ clock: () => now });
    const api = await startApi(store, { quota: 2, clock: () => now });
    const { key } = await newTenant(store);
    const holder = openHandle(databaseFiles(sqlitePath(url)).access);
    onTestFinished(() => holder.close());
    holder.exec('begin immediate');
    await call(api, path, { key });
    now += 1_000_000;
    await call(api, path, { key });
    holder.exec('commit');
    now += 1_000_000;
    const refused = await call(api, path, { key });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('1600');
    now += 1_600_000;
    expect((await call(api, path, { key })).statusCode).toBe(200);
  });
});
