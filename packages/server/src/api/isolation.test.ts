// @module-tag slow

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { call, newTenant, nowMs, startApi } from '../../test/servers/api.ts';
import { expectedBody } from '../../test/servers/oracle.ts';
import { randomRows } from '../../test/stores/random-rows.ts';
import { aDetection, aRun, idOf, writeRows } from '../../test/stores/rows.ts';
import { bothStores, eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';

const today = new Date(nowMs).toISOString().slice(0, 10);

const targets = [
  '/api/v1/scores',
  '/api/v1/prompts',
  '/api/v1/actions',
  '/api/v1/actions?status=open',
  '/api/v1/actions?status=done',
  '/api/v1/agent-hits',
  '/api/v1/detections',
  ...[0, 1, 2].map((number) => `/api/v1/detections?prompt_id=${idOf(number)}`),
];

bothStores('workspaces whose ids collide', (open) => {
  let stores: readonly Store[];
  beforeAll(async () => {
    stores = await open({ clock: () => nowMs });
  });

  test("every byte of every response comes from the rows of the key's workspace", async () => {
    const apis = await Promise.all(
      stores.map(async (store) => ({
        store,
        api: await startApi(store, { quota: 0 }),
        tenants: [await newTenant(store), await newTenant(store), await newTenant(store)],
      })),
    );
    await fc.assert(
      fc.asyncProperty(fc.tuple(randomRows, randomRows, randomRows), async (workspaces) => {
        for (const { store, api, tenants } of apis) {
          const filled = tenants.flatMap(({ workspaceId, key }, index) => {
            const rows = workspaces[index];
            return rows === undefined ? [] : [{ workspaceId, key, rows }];
          });
          for (const { workspaceId, rows } of filled) {
            await writeRows(store, workspaceId, rows, { replace: true });
          }
          for (const { rows, key } of filled) {
            for (const target of targets) {
              const response = await call(api, target, { key });
              expect(response.body, target).toBe(expectedBody(target, rows, today));
            }
          }
        }
      }),
      { numRuns: cases(12) },
    );
  });
});

eachStore({ title: 'a prompt_id', onBoth: false }, (open) => {
  test(
    'a prompt_id of another workspace gets the same response as an unknown one, to the byte and the header',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const api = await startApi(store, { quota: 0 });
      const [own, other] = [await newTenant(store), await newTenant(store)];
      const [ofOwn, ofOther, unknown] = [idOf(1), idOf(2), idOf(3)];
      for (const [tenant, promptId] of [
        [own, ofOwn],
        [other, ofOther],
      ] as const) {
        const run = aRun({ prompt_id: promptId });
        const detections = [aDetection({ run_id: run.id })];
        await writeRows(store, tenant.workspaceId, { runs: [run], detections });
      }
      const answerTo = async (promptId: string) => {
        const target = `/api/v1/detections?prompt_id=${promptId}`;
        const { statusCode, headers, body } = await call(api, target, { key: own.key });
        const etag = String(headers['etag']).replace(promptId, 'PROMPT');
        return { statusCode, body, ...headers, etag, date: '', 'x-request-id': '' };
      };
      expect((await answerTo(ofOwn)).body).not.toBe('{"detections":[]}');
      const foreign = await answerTo(ofOther);
      expect(foreign).toMatchObject({ statusCode: 200, body: '{"detections":[]}' });
      expect(foreign).toEqual(await answerTo(unknown));
    },
  );
});
