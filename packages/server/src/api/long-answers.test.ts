import { setTimeout as afterMs } from 'node:timers/promises';
import { detections as endpoint } from '@overheard/contract';
import { beforeAll, expect, test } from 'vitest';
import { call, newTenant, nowMs, startApi } from '../../test/servers/api.ts';
import { withInterruptedRead } from '../../test/stores/failing-store.ts';
import { expectedBody } from '../../test/servers/oracle.ts';
import { takeAllPlaces } from '../../test/stores/places.ts';
import { aDetection, aRun, idOf, writeRows } from '../../test/stores/rows.ts';
import type { Rows } from '../../test/stores/rows.ts';
import { recordStatements } from '../../test/stores/statements.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { openRowsStream } from './response/rows-stream.ts';
import { servedEndpoints } from './served-endpoints.ts';

const promptId = idOf(77);
const target = `/api/v1/detections?prompt_id=${promptId}`;
const none = { scores: [], prompts: [], actions: [], hits: [], runs: [], detections: [] };

/** Runs of the prompt, each with two detections, every seventh at the same moment as the one before. */
function runsOfPrompt(count: number): Required<Pick<Rows, 'runs' | 'detections'>> {
  const runs = Array.from({ length: count }, (_, index) =>
    aRun({
      id: idOf((index * 7919) % 10_007),
      prompt_id: promptId,
      run_at: new Date(nowMs - (index - (index % 7 === 0 ? 1 : 0)) * 60_000).toISOString(),
    }),
  );
  const detections = runs.flatMap((run) => [
    aDetection({ run_id: run.id }),
    aDetection({ run_id: run.id, subject_type: 'competitor', rank: null, cited: false }),
  ]);
  return { runs, detections };
}

eachStore('the detections of a prompt', (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => nowMs }));
  });

  test.each([200, 401])(
    'the detections of a prompt have all its %i runs, in one unbroken order',
    async (count) => {
      const api = await startApi(store);
      const { workspaceId, key } = await newTenant(store);
      const rows = runsOfPrompt(count);
      // Between them, runs without detections and runs of no prompt.
      const others = rows.runs
        .slice(0, 50)
        .flatMap(({ run_at }, index) => [
          aRun({ id: idOf(20_000 + index), prompt_id: promptId, run_at }),
          aRun({ id: idOf(30_000 + index), run_at }),
        ]);
      const ofOthers = others.slice(0, 50).filter(({ prompt_id }) => prompt_id === null);
      const written = {
        runs: [...rows.runs, ...others],
        detections: [...rows.detections, ...ofOthers.map((run) => aDetection({ run_id: run.id }))],
      };
      await writeRows(store, workspaceId, written);
      const response = await call(api, target, { key });
      expect(response.statusCode).toBe(200);
      expect(response.body).toBe(expectedBody(target, { ...none, ...written }, '2026-11-20'));
      expect(response.json().detections).toHaveLength(count * 2);
    },
  );

  test('the detections of a prompt do not change while they are sent, and carry the tag of the state that they show', async () => {
    const api = await startApi(store);
    const { workspaceId, key } = await newTenant(store);
    const rows = runsOfPrompt(450);
    await writeRows(store, workspaceId, rows);
    const whole = await call(api, target, { key });

    const served = servedEndpoints.find(({ endpoint: { name } }) => name === endpoint.name);
    if (served === undefined) throw new Error('The endpoint is not served');
    const { stream, revision } = await openRowsStream(
      store,
      {
        endpoint,
        prepared: served.prepare(`prompt_id=${promptId}`, '2026-11-20'),
        workspaceId,
        today: '2026-11-20',
        revision: 'one that was read earlier',
      },
      { stallMs: 30_000 },
    );
    const chunks = stream[Symbol.asyncIterator]();
    let text = String((await chunks.next()).value);
    await writeRows(store, workspaceId, {
      runs: [aRun({ id: idOf(40_000), prompt_id: promptId, run_at: '2026-11-19T00:00:00.500Z' })],
      detections: [aDetection({ run_id: idOf(40_000) })],
    });
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) text += String(chunk);
    expect(text).toBe(whole.body);
    expect(whole.headers['etag']).toContain(revision);
    expect((await call(api, target, { key })).headers['etag']).not.toBe(whole.headers['etag']);
  });

  test(
    'the detections of a prompt are read only when a snapshot is free, and then once',
    { tags: ['once'] },
    async () => {
      const api = await startApi(store);
      const { workspaceId, key } = await newTenant(store);
      const rows = runsOfPrompt(230);
      await writeRows(store, workspaceId, rows);
      const freePlaces = await takeAllPlaces(store, workspaceId);
      const { sent } = recordStatements();
      const ofRows = () => sent().filter(({ text }) => text.includes('join detections'));
      const waiting = call(api, target, { key });
      // A read that ignores the limit would have finished before a later request gets its response.
      await afterMs(300);
      expect((await call(api, '/api/v1/prompts', { key })).statusCode).toBe(200);
      expect(ofRows()).toHaveLength(0);
      await freePlaces();
      expect((await waiting).body).toBe(expectedBody(target, { ...none, ...rows }, '2026-11-20'));
      // 230 runs, 50 at a time.
      expect(ofRows()).toHaveLength(5);
    },
  );

  test('the detections of a prompt have the tag of their state even if a write comes in between', async () => {
    const { workspaceId, key } = await newTenant(store);
    const rows = runsOfPrompt(230);
    await writeRows(store, workspaceId, rows);
    const late = aRun({ id: idOf(40_000), prompt_id: promptId });
    const added = { runs: [late], detections: [aDetection({ run_id: late.id })] };
    const interrupted = withInterruptedRead(store, () => writeRows(store, workspaceId, added));
    const api = await startApi(interrupted);
    const response = await call(api, target, { key });
    const written = {
      runs: [...rows.runs, ...added.runs],
      detections: [...rows.detections, ...added.detections],
    };
    expect(response.body).toBe(expectedBody(target, { ...none, ...written }, '2026-11-20'));
    const headers = { 'if-none-match': String(response.headers['etag']) };
    expect((await call(api, target, { key, headers })).statusCode).toBe(304);
  });
});
