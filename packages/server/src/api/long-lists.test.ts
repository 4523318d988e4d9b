// @module-tag slow
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { call, newTenant, startApi } from '../../test/servers/api.ts';
import { withInterruptedRead } from '../../test/stores/failing-store.ts';
import { expectedBody } from '../../test/servers/oracle.ts';
import { anAction, aScore, idOf, writeRows } from '../../test/stores/rows.ts';
import type { Action, Rows, Score } from '../../test/stores/rows.ts';
import { recordStatements } from '../../test/stores/statements.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { orderedActions } from './endpoints/actions.ts';
import { sliceOrdered } from './request/ordered-rows.ts';
import { orderedScores } from './endpoints/scores.ts';

const today = '2026-11-20';
const none = { scores: [], prompts: [], actions: [], hits: [], runs: [], detections: [] };
const statuses = ['open', 'in_progress', 'done', 'dismissed'] as const;
/** Actions of few scores and moments, so that slices end between rows that share both. */
function manyActions(count: number): Action[] {
  return Array.from({ length: count }, (_, index) =>
    anAction({
      id: idOf((index * 7919) % 100_003),
      impact_score: index % 5 === 0 ? null : (index % 3) * 33.3,
      status: statuses[index % 4] ?? 'open',
      created_at: `2026-11-${10 + (index % 2)}T00:00:00.000Z`,
    }),
  );
}

/** Scores of engines on three days, one of them outside the requested period. */
function manyScores(count: number): Score[] {
  return Array.from({ length: count }, (_, index) =>
    aScore({
      engine: `engine-${Math.floor(index / 3)}`,
      date: ['2026-11-20', '2026-05-25', '2026-05-24'][index % 3] ?? today,
    }),
  );
}

eachStore('a list without a cap', (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open());
  });

  async function tenantWith(rows: Rows) {
    const tenant = await newTenant(store);
    await writeRows(store, tenant.workspaceId, rows);
    return tenant;
  }

  describe.each<[string, string, Rows]>([
    ['2,001 actions', '/api/v1/actions', { actions: manyActions(2001) }],
    ['5,002 scores', '/api/v1/scores', { scores: manyScores(7503) }],
  ])('%s', (_size, target, rows) => {
    test('a list of any length has the same bytes, tag, HEAD and 304 as a short one', async () => {
      const api = await startApi(store, { quota: 0 });
      const { key } = await tenantWith(rows);
      const response = await call(api, target, { key });
      expect(response.statusCode).toBe(200);
      expect(response.body).toBe(expectedBody(target, { ...none, ...rows }, today));
      const { etag } = response.headers;
      const packed = await call(api, target, { key, headers: { 'accept-encoding': 'gzip' } });
      expect(packed.headers).toMatchObject({ etag, 'content-encoding': 'gzip' });
      expect(String(gunzipSync(packed.rawPayload))).toBe(response.body);
      const head = await call(api, target, { key, method: 'HEAD' });
      expect(head).toMatchObject({ statusCode: 200, body: '' });
      expect(head.headers).toMatchObject({
        etag,
        'content-type': 'application/json; charset=utf-8',
      });
      expect(head.headers['content-length']).toBe(response.headers['content-length']);
      const headers = { 'if-none-match': String(etag) };
      const unchanged = await call(api, target, { key, headers });
      expect(unchanged).toMatchObject({ statusCode: 304, body: '' });
    });
  });

  test.each([
    ['/api/v1/actions', { actions: manyActions(2600) }, 2001],
    ['/api/v1/scores', { scores: manyScores(8000) }, 5001],
  ])('a list without a cap is never read in one piece: %s', async (target, rows, rowsMax) => {
    const api = await startApi(store, { quota: 0 });
    const { key } = await tenantWith(rows);
    const { sent } = recordStatements();
    await call(api, target, { key });
    const reads = sent().filter(({ text }) => /from (actions|scores) /.test(text));
    expect(reads.length).toBeGreaterThan(3);
    for (const { text, values } of reads) {
      const place = Number(/ limit \$(\d+)/.exec(text)?.[1]);
      expect(values[place - 1], text).toBeLessThanOrEqual(rowsMax);
    }
  });

  test(
    'a list without a cap shows one state, also if it grows too long while it is read',
    { tags: ['once'] },
    async () => {
      const actions = manyActions(2000);
      const { workspaceId, key } = await tenantWith({ actions });
      const more = Array.from({ length: 700 }, () => anAction());
      const interrupted = withInterruptedRead(store, () =>
        writeRows(store, workspaceId, { actions: more }),
      );
      const api = await startApi(interrupted, { quota: 0 });
      const response = await call(api, '/api/v1/actions', { key });
      const all = { ...none, actions: [...actions, ...more] };
      expect(response.body).toBe(expectedBody('/api/v1/actions', all, today));
      const headers = { 'if-none-match': String(response.headers['etag']) };
      expect((await call(api, '/api/v1/actions', { key, headers })).statusCode).toBe(304);
    },
  );

  test('a list without a cap does not change while it is sent', async () => {
    const actions = manyActions(30);
    const { workspaceId } = await tenantWith({ actions });
    const snapshot = await store.snapshot({ workspaceId });
    const slices = sliceOrdered(
      { ...orderedActions, sliceMax: 7 },
      { db: snapshot.db, workspaceId, today },
      {},
    );
    const found = [...((await slices.next()).value ?? [])];
    const later = [anAction({ impact_score: 50 }), anAction({ impact_score: null })];
    await writeRows(store, workspaceId, { actions: later });
    for await (const slice of slices) found.push(...slice);
    await snapshot.release();
    const expected = expectedBody('/api/v1/actions', { ...none, actions }, today);
    expect(JSON.stringify({ actions: found })).toBe(expected);
  });

  test(
    'a list without a cap is in order whatever its rows share and wherever its slices end',
    { tags: ['once'] },
    async () => {
      const action = fc.record({
        impact_score: fc.constantFrom(null, 0, 0.1, 50, 100),
        created_at: fc.constantFrom('2026-11-18T06:00:00.000Z', '2026-11-18T06:00:00.001Z'),
        status: fc.constantFrom(...statuses),
      });
      const score = fc.record({
        date: fc.constantFrom('2026-11-21', '2026-11-20', '2026-11-19', '2026-05-25', '2026-05-24'),
        engine: fc.constantFrom('a', 'b-c', 'b_c', 'chatgpt', 'z9'),
      });
      const lists = fc.record({
        actions: fc.array(action, { maxLength: 25 }),
        scores: fc.uniqueArray(score, { selector: ({ date, engine }) => date + engine }),
        status: fc.constantFrom(undefined, ...statuses),
        sliceMax: fc.integer({ min: 1, max: 8 }),
      });
      await fc.assert(
        fc.asyncProperty(lists, async ({ status, sliceMax, ...drawn }) => {
          const rows = { actions: drawn.actions.map(anAction), scores: drawn.scores.map(aScore) };
          const { workspaceId } = await tenantWith(rows);
          const reading = { db: store.reader, workspaceId, today };
          const all = { ...none, ...rows };
          const actions = [];
          const inSlices = { ...orderedActions, sliceMax };
          for await (const slice of sliceOrdered(inSlices, reading, { status }))
            actions.push(...slice);
          const query = status === undefined ? '' : `?status=${status}`;
          expect(JSON.stringify({ actions })).toBe(
            expectedBody(`/api/v1/actions${query}`, all, today),
          );
          const scores = [];
          for await (const slice of sliceOrdered({ ...orderedScores, sliceMax }, reading, {})) {
            scores.push(...slice);
          }
          expect(JSON.stringify({ scores })).toBe(expectedBody('/api/v1/scores', all, today));
        }),
        { numRuns: cases(60) },
      );
    },
  );
});
