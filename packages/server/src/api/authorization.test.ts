import { beforeAll, describe, expect, test } from 'vitest';
import { createKey, listKeys, newKey, revokeKey } from '../access/keys.ts';
import { call, newTenant, nowMs, publicUrl, startApi } from '../../test/servers/api.ts';
import type { Tenant } from '../../test/servers/api.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';

const path = '/api/v1/prompts';
const minuteMs = 60_000;

eachStore('a key', (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => nowMs }));
  });

  test('an unknown, revoked, expired or malformed key, or another scheme, gets the same response to the byte', async () => {
    let lookups = 0;
    const findKey: Store['findKey'] = (hash) => {
      lookups += 1;
      return store.findKey(hash);
    };
    const api = await startApi({ ...store, findKey });
    const { key, workspaceId } = await newTenant(store);
    const { record, key: revoked } = await createKey(store, {
      workspaceId,
      name: 'revoked',
      clock: () => nowMs,
    });
    await revokeKey(store, record.id, { clock: () => nowMs });
    const expired = await newTenant(store, { expiresAt: new Date(nowMs).toISOString() });
    const headers = [
      `Bearer ${newKey()}`,
      `Bearer ${revoked}`,
      `Bearer ${expired.key}`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key}x`,
      `Bearer ${key} ${key}`,
      `Bearer ${key.toUpperCase()}`,
      `Bearer "${key}"`,
      `Bearer é`,
      'Bearer',
      `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      `Token ${key}`,
      key,
      `Bearer${key}`,
    ];
    const responses = await Promise.all(
      headers.map(async (authorization) => {
        const response = await call(api, path, { headers: { authorization } });
        const id = String(response.headers['x-request-id']);
        return {
          ...response.headers,
          status: response.statusCode,
          body: response.body.replace(id, 'ID'),
          date: '',
          'x-request-id': '',
        };
      }),
    );
    expect(responses[0]).toMatchObject({
      status: 401,
      'www-authenticate': 'Bearer realm="overheard", error="invalid_token"',
      body: JSON.stringify({
        type: `${publicUrl}/errors/invalid_api_key`,
        title: 'Invalid API key',
        status: 401,
        detail: 'The key is malformed, unknown, revoked or expired.',
        code: 'invalid_api_key',
        request_id: 'ID',
      }),
    });
    for (const [index, response] of responses.entries()) {
      expect(response, headers[index]).toEqual(responses[0]);
    }
    // They also take the same time, because each key is looked up before it is refused.
    expect(lookups).toBe(headers.length);
  });

  test('a key opens nothing from the query, a cookie or another header', async () => {
    const api = await startApi(store);
    const { key } = await newTenant(store);
    const attempts: ReadonlyArray<readonly [string, Record<string, string>]> = [
      [`${path}?access_token=${key}`, {}],
      [`${path}?key=${key}`, {}],
      [path, { cookie: `access_token=${key}; Authorization=${key}` }],
      [path, { 'x-api-key': key }],
      [path, { 'proxy-authorization': `Bearer ${key}` }],
      [path, { authorization: '' }],
      [path, { authorization: '  ' }],
    ];
    for (const [url, headers] of attempts) {
      const response = await call(api, url, { headers });
      expect(response.statusCode).toBe(401);
      expect(response.json().code).toBe('missing_api_key');
      expect(response.headers['www-authenticate']).toBe('Bearer realm="overheard"');
      expect(response.headers).not.toHaveProperty('ratelimit');
    }
  });

  test('an invalid key does not learn what has changed either', async () => {
    const api = await startApi(store);
    const { key, keyId } = await newTenant(store);
    const tag = String((await call(api, path, { key })).headers['etag']);
    await revokeKey(store, keyId, { clock: () => nowMs });
    for (const headers of [{ 'if-none-match': tag }, { 'if-none-match': '*' }]) {
      for (const credentials of [{}, { key }, { key: newKey() }]) {
        const response = await call(api, path, { ...credentials, headers });
        expect(response.statusCode).toBe(401);
        expect(response.headers).not.toHaveProperty('etag');
      }
    }
  });

  describe('the limit of failures', () => {
    test('the limit of failures refuses invalid keys after 30 a minute, and never a valid one', async () => {
      let now = nowMs;
      const api = await startApi(store, { clock: () => now });
      const { key } = await newTenant(store);
      const outcomes = [];
      for (let index = 0; index < 50; index++) {
        outcomes.push((await call(api, path, { key: newKey() })).statusCode);
        now += 100;
      }
      expect(outcomes).toEqual([...Array(30).fill(401), ...Array(20).fill(429)]);
      const refused = await call(api, path, { key: newKey() });
      expect(refused.json().code).toBe('too_many_failures');
      expect(Number(refused.headers['retry-after'])).toBe(55);

      const good = await call(api, path, { key });
      expect(good.statusCode).toBe(200);
      // The refusals did not spend the workspace's quota: this is its first request.
      expect(good.headers['ratelimit']).toBe('"prompts";r=299;t=3600');
      expect((await call(api, path)).json().code).toBe('missing_api_key');
      expect((await call(api, path, { key: newKey(), address: '192.0.2.7' })).statusCode).toBe(401);
      now += 55_000;
      expect((await call(api, path, { key: newKey() })).statusCode).toBe(401);
    });

    test('the limit of failures counts an IPv6 network as one address, and the client behind a proxy that is trusted', async () => {
      const api = await startApi(store, { trustProxy: ['10.0.0.0/8'] });
      const spend = async (options: (index: number) => Parameters<typeof call>[2]) => {
        for (let index = 0; index < 30; index++) {
          const response = await call(api, path, { key: newKey(), ...options(index) });
          expect(response.statusCode).toBe(401);
        }
        return (await call(api, path, { key: newKey(), ...options(31) })).statusCode;
      };
      expect(await spend((index) => ({ address: `2001:db8:0:1::${index}` }))).toBe(429);
      const beside = await call(api, path, { key: newKey(), address: '2001:db8:0:2::1' });
      expect(beside.statusCode).toBe(401);
      const forwarded = { 'x-forwarded-for': '203.0.113.9' };
      expect(await spend(() => ({ address: '10.1.1.1', headers: forwarded }))).toBe(429);
      const untrusted = await call(api, path, {
        key: newKey(),
        address: '192.0.2.99',
        headers: forwarded,
      });
      expect(untrusted.statusCode).toBe(401);
    });
  });

  describe('the last use', () => {
    async function lastUse({ workspaceId }: Tenant): Promise<string | null | undefined> {
      return (await listKeys(store, { workspaceId }))[0]?.last_used_at;
    }

    /** A store that counts the updates of a key's last use. */
    function counting(): { readonly counted: Store; readonly notes: () => number } {
      let notes = 0;
      const counted: Store = {
        ...store,
        touchKey: (...args) => {
          notes += 1;
          return store.touchKey(...args);
        },
      };
      return { counted, notes: () => notes };
    }

    test('the last use of a key is written at most every five minutes', async () => {
      let now = nowMs;
      const { counted, notes } = counting();
      const api = await startApi(counted, { clock: () => now, quota: 0 });
      const tenant = await newTenant(store);
      const use = () => call(api, path, { key: tenant.key });
      await use();
      await expect.poll(() => lastUse(tenant)).toBe(new Date(nowMs).toISOString());
      now += 5 * minuteMs - 1;
      await use();
      await use();
      now += 1;
      await use();
      await expect.poll(() => lastUse(tenant)).toBe(new Date(now).toISOString());
      expect(notes()).toBe(2);
    });

    test('the last use of a key delays no response, even if writing it hangs or fails', async () => {
      const tenant = await newTenant(store);
      const hanging = await startApi({ ...store, touchKey: () => new Promise(() => {}) });
      expect((await call(hanging, path, { key: tenant.key })).statusCode).toBe(200);
      const failing = await startApi({
        ...store,
        touchKey: () => Promise.reject(new Error('the disk is full')),
      });
      expect((await call(failing, path, { key: tenant.key })).statusCode).toBe(200);
      await expect
        .poll(() => failing.lines().map(({ msg }) => msg))
        .toContain('the last use of a key could not be stored');
    });
  });
});
