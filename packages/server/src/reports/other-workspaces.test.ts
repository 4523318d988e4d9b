import { endpoints } from '@overheard/contract';
import { expect, test } from 'vitest';
import { call, startApi } from '../../test/servers/api.ts';
import { aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { importText } from '../../test/answers/transferring.ts';
import { aHit, idOf } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { createKey } from '../access/keys.ts';
import type { Store } from '../storage/store.ts';
import { hits } from '../transfer/resources/hits.ts';

const clock = () => now;
const targets = [
  ...endpoints.map(({ path }) => path),
  ...['cited=true', 'cited=false'].map((query) => `/api/v1/answers?${query}`),
  ...['engine', 'prompt', 'locale', 'day', 'week'].map((by) => `/api/v1/shares?by=${by}`),
  ...['page', 'day'].map((by) => `/api/v1/crawls?by=${by}`),
  '/api/v1/sources?by=page',
];

/** Makes a workspace. Those of all have the ids of the same runs and hit, and the same page. */
async function fill(store: Store, { answer, day }: { answer: string; day: number }) {
  const workspaceId = await aWorkspace(store);
  const row = { prompt: 'Which tool?', engine: 'chatgpt', run_at: '2026-11-16T06:00:00Z' };
  await importRows(store, workspaceId, [
    { ...row, id: idOf(8), answer },
    { ...row, id: idOf(9), answer: 'See the link.', sources: ['https://acme.com/x'] },
  ]);
  const hit_at = `2026-11-${day}T06:00:00.000Z`;
  const hit = aHit({ id: idOf(7), path: '/x', verification: 'verified', hit_at });
  await importText(store, { workspaceId, resource: hits }, JSON.stringify(hit));
  return workspaceId;
}

eachStore('the endpoints', (open) => {
  test('every response is the same with another workspace that has the same runs and pages', async () => {
    const read = async (hasOther: boolean) => {
      const { store } = await open({ clock });
      const workspaceId = await fill(store, { answer: 'Nobody.', day: 17 });
      if (hasOther) await fill(store, { answer: 'Acme, Globex.', day: 18 });
      const api = await startApi(store, { clock, quota: 0 });
      const { key } = await createKey(store, { workspaceId, name: 'test', clock });
      const bodies = [];
      for (const target of targets) {
        const { statusCode, body } = await call(api, target, { key });
        expect(statusCode, target).toBe(200);
        bodies.push([target, body]);
      }
      return bodies;
    };
    const alone = await read(false);
    expect(JSON.stringify(alone)).toContain('2026-11-17T06:00:00.000Z');
    expect(await read(true)).toEqual(alone);
  });
});
