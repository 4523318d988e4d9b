import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, newTenant, nowMs, startApi } from '../../../test/servers/api.ts';
import { aDetection, aPrompt, aRun, idOf, writeRows } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Store } from '../../storage/store.ts';
import { negotiateEncoding } from './encoding.ts';

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
};

const promptId = idOf(1);

eachStore('an encoded answer', (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open());
  });

  async function tenantWithRuns(count: number): Promise<string> {
    const { workspaceId, key } = await newTenant(store);
    const runs = Array.from({ length: count }, (_, index) =>
      aRun({ prompt_id: promptId, run_at: new Date(nowMs - index).toISOString() }),
    );
    const detections = runs.map(({ id }) => aDetection({ run_id: id }));
    await writeRows(store, workspaceId, { runs, detections });
    return key;
  }

  test.each([
    ['whole', 150],
    ['streamed', 650],
  ])(
    'a response that is %s has the same bytes in every encoding, fresh and from memory',
    { tags: ['once'] },
    async (_how, count) => {
      const api = await startApi(store, { quota: 0 });
      const key = await tenantWithRuns(count);
      const target = `/api/v1/detections?prompt_id=${promptId}`;
      const plain = await call(api, target, { key });
      expect(plain.headers).not.toHaveProperty('content-encoding');
      expect(plain.json().detections).toHaveLength(count);
      for (const encoding of ['zstd', 'br', 'gzip', 'zstd', 'br', 'gzip']) {
        const headers = { 'accept-encoding': encoding };
        const response = await call(api, target, { key, headers });
        expect(response.headers).toMatchObject({
          'content-encoding': encoding,
          etag: plain.headers['etag'],
          vary: 'Authorization, Accept-Encoding',
          'content-type': 'application/json; charset=utf-8',
        });
        expect(response.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
        expect(decoders[encoding]?.(response.rawPayload).equals(plain.rawPayload)).toBe(true);
      }
    },
  );

  test('a response is encoded from 1 KiB on', async () => {
    const api = await startApi(store, { quota: 0 });
    const { workspaceId, key } = await newTenant(store);
    const empty = JSON.stringify({ prompts: [aPrompt({ text: '' })] }).length;
    const headers = { 'accept-encoding': 'gzip' };
    await writeRows(store, workspaceId, { prompts: [aPrompt({ text: 'x'.repeat(1023 - empty) })] });
    const below = await call(api, '/api/v1/prompts', { key, headers });
    expect(below.rawPayload).toHaveLength(1023);
    expect(below.headers).not.toHaveProperty('content-encoding');
    await store.writer
      .updateTable('prompts')
      .set({ text: 'x'.repeat(1024 - empty) })
      .where('workspace_id', '=', workspaceId)
      .execute();
    await writeRows(store, workspaceId, { runs: [aRun()] });
    const from = await call(api, '/api/v1/prompts', { key, headers });
    expect(from.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(from.rawPayload)).toHaveLength(1024);
  });

  test('a problem of more than 1 KiB is never encoded', async () => {
    const api = await startApi(store);
    const { key } = await newTenant(store);
    const names = Array.from({ length: 40 }, (_, index) => `unknown_parameter_${index}=1`);
    const headers = { 'accept-encoding': 'gzip, br, zstd' };
    const response = await call(api, `/api/v1/scores?${names.join('&')}`, { key, headers });
    expect(response.statusCode).toBe(400);
    expect(response.rawPayload.length).toBeGreaterThan(1024);
    expect(response.headers).not.toHaveProperty('content-encoding');
  });
});

describe('the encoding', () => {
  test.each([
    [undefined, 'identity'],
    ['identity', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['*', 'zstd'],
    ['gzip;q=1, zstd;q=0.5', 'gzip'],
    ['zstd;q=0, *', 'br'],
    ['gzip;q=0', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0.5, gzip;q=1', 'gzip'],
    // No supported encoding is acceptable: respond all the same (RFC 9110, 12.5.3).
    ['identity;q=0', 'identity'],
    ['*;q=0', 'identity'],
    ['gzip;q=banana', 'identity'],
    [`${'x,'.repeat(2000)}gzip`, 'gzip'],
  ])('Accept-Encoding %j gets the encoding %s', (header, encoding) => {
    expect(negotiateEncoding(header)).toBe(encoding);
    expect(negotiateEncoding(header)).toBe(encoding);
  });
});
