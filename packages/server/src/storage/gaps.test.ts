import { expect, test } from 'vitest';
import { aWorkspace } from '../../test/answers/answers.ts';
import { anAction, idOf, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { countGaps } from './gaps.ts';

eachStore({ title: 'counts of gaps', onBoth: false }, (open) => {
  test('open gaps, those of high priority, and gaps in progress are counted apart', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const kinds = [
      ['open', 'high'],
      ['open', 'low'],
      ['open', 'medium'],
      ['in_progress', 'high'],
      ['in_progress', 'low'],
      ['done', 'high'],
    ] as const;
    const actions = kinds.map(([status, priority], index) =>
      anAction({ id: idOf(index + 1), status, priority }),
    );
    await writeRows(store, workspaceId, { actions });
    const counts = await countGaps({ db: store.reader, workspaceId });
    expect(counts).toEqual({ open: 3, high: 1, inProgress: 2 });
  });
});
