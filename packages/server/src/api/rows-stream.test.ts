import { setTimeout as afterMs } from 'node:timers/promises';
import { detections } from '@overheard/contract';
import { expect, test } from 'vitest';
import { newTenant, nowMs } from '../../test/api.ts';
import { aDetection, aRun, idOf, writeRows } from '../../test/rows.ts';
import { eachStore } from '../../test/stores.ts';
import { openRowsStream } from './rows-stream.ts';
import { servedEndpoints } from './served-endpoints.ts';

eachStore('a long answer', (open) => {
  test('whose client takes too long for a slice ends, and gives its place back', async () => {
    const { store } = await open();
    const { workspaceId } = await newTenant(store);
    const engine = 'x'.repeat(1000);
    const runs = Array.from({ length: 700 }, (_, index) =>
      aRun({ prompt_id: idOf(1), engine, run_at: new Date(nowMs - index).toISOString() }),
    );
    const rows = runs.map(({ id }) => aDetection({ run_id: id }));
    await writeRows(store, workspaceId, { runs, detections: rows });
    const served = servedEndpoints.find(({ endpoint }) => endpoint.name === detections.name);
    if (served === undefined) throw new Error('Detections are not served');

    const { stream } = await openRowsStream(
      store,
      {
        endpoint: served.endpoint,
        prepared: served.prepare(`prompt_id=${idOf(1)}`),
        workspaceId,
        today: '2026-11-20',
        revision: '',
      },
      { stallMs: 100 },
    );
    const ended = new Promise<Error>((resolve) => {
      stream.once('error', resolve);
    });
    // One slice is taken, and then nothing more.
    stream.once('data', () => stream.pause());
    expect((await Promise.race([ended, afterMs(20_000)]))?.message).toBe('The client stalled');
    expect(stream.destroyed).toBe(true);
  });
});
