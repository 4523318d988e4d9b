// @module-tag slow

import { setTimeout as afterMs } from 'node:timers/promises';
import { detections } from '@overheard/contract';
import { expect, test } from 'vitest';
import { newTenant, nowMs } from '../../../test/servers/api.ts';
import { withFailingSnapshots } from '../../../test/stores/failing-store.ts';
import { aDetection, aRun, idOf, writeRows } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Store } from '../../storage/store.ts';
import type { EndpointQuery } from './entity-tag.ts';
import { openRowsStream } from './rows-stream.ts';
import { servedEndpoints } from '../served-endpoints.ts';

eachStore({ title: 'a long answer', onBoth: false }, (open) => {
  test('a response whose client stops reading ends, and gives its place back', async () => {
    const { store } = await open();
    const { workspaceId } = await newTenant(store);
    const engine = 'x'.repeat(1000);
    const runs = Array.from({ length: 700 }, (_, index) =>
      aRun({ prompt_id: idOf(1), engine, run_at: new Date(nowMs - index).toISOString() }),
    );
    const rows = runs.map(({ id }) => aDetection({ run_id: id }));
    await writeRows(store, workspaceId, { runs, detections: rows });

    let released = 0;
    const counting: Store = {
      ...store,
      snapshot: async (options) => {
        const snapshot = await store.snapshot(options);
        const release = () => {
          released += 1;
          return snapshot.release();
        };
        return { ...snapshot, release };
      },
    };
    const { stream } = await openRowsStream(counting, query(workspaceId), { stallMs: 100 });
    const ended = new Promise<Error>((resolve) => {
      stream.once('error', resolve);
    });
    // Read one slice, then stop reading.
    stream.once('data', () => stream.pause());
    expect((await ended).message).toBe('The client stalled');
    expect(stream.destroyed).toBe(true);
    expect(released).toBe(1);
  });

  test(
    'a response whose client keeps reading is sent whole, however long a slice takes',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const { workspaceId } = await newTenant(store);
      // One slice of 600 KB.
      const engine = 'x'.repeat(20_000);
      const runs = Array.from({ length: 30 }, () => aRun({ prompt_id: idOf(1), engine }));
      await writeRows(store, workspaceId, {
        runs,
        detections: runs.map(({ id }) => aDetection({ run_id: id })),
      });

      const stallMs = 1500;
      const { stream } = await openRowsStream(store, query(workspaceId), { stallMs });
      const startedMs = performance.now();
      const chunks: Buffer[] = [];
      for await (const chunk of stream) {
        chunks.push(chunk);
        await afterMs(chunk.length / 300);
      }
      expect(performance.now() - startedMs).toBeGreaterThan(stallMs);
      expect(JSON.parse(Buffer.concat(chunks).toString()).detections).toHaveLength(30);
    },
  );

  test('a response whose first rows cannot be read fails, and gives its place back', async () => {
    const { store } = await open();
    const { workspaceId } = await newTenant(store);
    const failing = withFailingSnapshots(store, 1, new Error('unreadable'));
    // More requests than a workspace's limit. The rest are refused with another code.
    for (let time = 0; time < 5; time += 1) {
      const opening = openRowsStream(failing, query(workspaceId), { stallMs: 100 });
      await expect(opening).rejects.toThrow('unreadable');
    }
  });
});

function query(workspaceId: string): EndpointQuery {
  const served = servedEndpoints.find(({ endpoint }) => endpoint.name === detections.name);
  if (served === undefined) throw new Error('Detections are not served');
  return {
    endpoint: served.endpoint,
    prepared: served.prepare(`prompt_id=${idOf(1)}`, '2026-11-20'),
    workspaceId,
    today: '2026-11-20',
    revision: '',
  };
}
