import { beforeAll, expect, test } from 'vitest';
import { call, startApi } from '../../test/servers/api.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';

const path = '/api/v1/openapi.json';

eachStore({ title: 'the OpenAPI document', onBoth: false }, (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open());
  });

  test('the OpenAPI document has one tag per public URL, and 304 carries no Content-Type', async () => {
    const first = await call(await startApi(store), path);
    const publicUrl = () => 'https://other.example.com';
    const api = await startApi(store, { publicUrl });
    const headers = { 'if-none-match': String(first.headers['etag']) };
    const other = await call(api, path, { headers });
    expect(other.statusCode).toBe(200);
    expect(other.body).toContain('https://other.example.com');
    expect(other.headers['etag']).not.toBe(first.headers['etag']);

    const known = { 'if-none-match': String(other.headers['etag']) };
    const unchanged = await call(api, path, { headers: known });
    expect(unchanged).toMatchObject({ statusCode: 304, body: '' });
    expect(unchanged.headers).toMatchObject({
      etag: other.headers['etag'],
      vary: 'Accept-Encoding',
      'cache-control': 'no-cache',
    });
    expect(unchanged.headers).not.toHaveProperty('content-type');
    const again = await startApi(store, { publicUrl });
    expect((await call(again, path)).headers['etag']).toBe(other.headers['etag']);
  });
});
