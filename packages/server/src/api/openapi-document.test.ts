import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { call, startApi } from '../../test/servers/api.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';

const path = '/api/v1/openapi.json';
const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

eachStore({ title: 'the OpenAPI document', onBoth: false }, (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open());
  });

  test('the OpenAPI document is compressed as the client accepts it, with the same bytes and tag in every encoding', async () => {
    const api = await startApi(store);
    const plain = await call(api, path);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    for (const [encoding, decode] of Object.entries(decoders)) {
      const headers = { 'accept-encoding': encoding };
      const response = await call(api, path, { headers });
      expect(response.headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': 'application/json; charset=utf-8',
        vary: 'Accept-Encoding',
        etag: plain.headers['etag'],
      });
      expect(response.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
      expect(String(decode(response.rawPayload))).toBe(plain.body);
      const head = await call(api, path, { headers, method: 'HEAD' });
      expect(head.body).toBe('');
      expect(head.headers['content-length']).toBe(response.headers['content-length']);
    }
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

  test('the OpenAPI document takes the public URL that is known only once the server listens', async () => {
    let url = '';
    const api = await startApi(store, { publicUrl: () => url });
    const before = await call(api, path);
    url = 'http://127.0.0.1:8484';
    const after = await call(api, path);
    expect(after.body).toContain(url);
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
  });
});
