import { expect, test } from 'vitest';
import { aWorkspace, addSubject, importRows } from '../../../test/answers/answers.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { readShares } from './shares.ts';

eachStore({ title: 'shares of one period', onBoth: false }, (open) => {
  test('a subject that was added within the only period is too_few, because nothing can differ', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const row = { prompt: 'Which tool?', engine: 'chatgpt', answer: 'Acme.' };
    await importRows(store, workspaceId, [{ ...row, run_at: '2026-11-19T06:00:00Z' }]);
    await addSubject(store, workspaceId, { name: 'Number', number: 4 });
    await importRows(store, workspaceId, [{ ...row, run_at: '2026-11-20T06:00:00Z' }]);
    const period = { from: '2026-11-18', to: '2026-11-20' };
    const query = { ...period, by: 'total', excludesCompetitorPrompts: false } as const;
    const rows = await readShares({ db: store.reader, workspaceId }, { ...query, rowsMax: 9 });
    expect(rows).toHaveLength(4);
    for (const { rate_verdict: verdict, sov_verdict: ofShare } of rows) {
      expect([verdict, ofShare]).toEqual(['too_few', 'too_few']);
    }
  });
});
