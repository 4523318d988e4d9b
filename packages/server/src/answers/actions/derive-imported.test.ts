import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { deriveActions } from './derive.ts';

eachStore('an action that was imported before it is derived', (open) => {
  test('an imported action that is derived later gets the figures of its runs', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const rows = Array.from({ length: 6 }, (_, index) => ({
      prompt: 'best crm',
      engine: 'chatgpt',
      run_at: `2026-11-19T0${index}:00:00Z`,
      answer: 'Globex.',
    }));
    await importRows(store, workspaceId, rows);
    const derive = () => deriveActions(store, { workspaceId, windowDays: 28, clock: () => now });
    await derive();
    const [derived] = await store.reader.selectFrom('actions').selectAll().execute();
    // Like an imported export of actions: without kind and parts, and with other figures.
    await store.writer
      .updateTable('actions')
      .set({ kind: null, parts: null, impact_score: 1, priority: 'low' })
      .execute();

    const again = await derive();
    expect(again).toMatchObject({ opened: [], updated: 1 });
    expect(await store.reader.selectFrom('actions').selectAll().execute()).toEqual([derived]);
  });
});
