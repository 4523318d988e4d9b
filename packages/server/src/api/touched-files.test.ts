import { expect, test } from 'vitest';
import { call, newTenant, nowMs, startApi } from '../../test/servers/api.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { touchedFiles } from '../../test/commands/touched-files.ts';

eachStore('the path of a request', (open) => {
  test('a request for scores runs code of at most 24 source files', async () => {
    const { store } = await open({ clock: () => nowMs });
    const api = await startApi(store);
    const { key } = await newTenant(store);
    await call(api, '/healthz');

    const touched = await touchedFiles(async () => {
      const { statusCode } = await call(api, '/api/v1/scores', { key });
      expect(statusCode).toBe(200);
    });

    expect(touched).toContain('packages/server/src/api/endpoints/scores.ts');
    expect(touched.length, touched.join('\n')).toBeLessThanOrEqual(24);
  });
});
