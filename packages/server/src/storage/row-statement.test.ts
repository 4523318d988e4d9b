import { expect, test } from 'vitest';
import { aWorkspace } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from './store.ts';

eachStore('a statement for rows', (open) => {
  test('a statement for rows writes each of them once, however many there are, and none of none', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const groups = [0, 1, 99, 100, 101, 250, 1].map((count, group) =>
      Array.from({ length: count }, (_, place) => rowOf(workspaceId, `${group}-${place}`)),
    );
    await store.writer.transaction().execute(async (transaction) => {
      const insert = store.rowStatement(transaction, (rows: readonly Row[]) =>
        transaction.insertInto('prompts').values(rows).compile(),
      );
      for (const rows of groups) await insert(rows);
    });
    expect(await storedIn(store)).toEqual(groups.flat().map(({ id }) => id));
  });

  test('a statement for rows fails at a row that is there already, and nothing of its transaction stays', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const rows = ['a', 'b', 'a', 'c'].map((id) => rowOf(workspaceId, id));
    const written = store.writer.transaction().execute(async (transaction) => {
      await store.rowStatement(transaction, (shape: readonly Row[]) =>
        transaction.insertInto('prompts').values(shape).compile(),
      )(rows);
    });
    await expect(written).rejects.toThrow(/unique/i);
    expect(await storedIn(store)).toEqual([]);
  });
});

type Row = ReturnType<typeof rowOf>;

function rowOf(workspaceId: string, id: string) {
  return {
    workspace_id: workspaceId,
    id,
    text: `What is ${id}?`,
    language: 'en',
    locale: 'en-US',
    active: true,
    created_at: '2026-11-20T12:34:56.789Z',
  };
}

async function storedIn({ reader }: Store): Promise<string[]> {
  const rows = await reader.selectFrom('prompts').select(['id', 'text']).execute();
  expect(rows.every(({ id, text }) => text === `What is ${id}?`)).toBe(true);
  return rows.map(({ id }) => id).toSorted((left, right) => key(left) - key(right));
}

/** In the order in which they were made. */
function key(id: string): number {
  const [group = '', place = '0'] = id.split('-');
  return Number(group) * 1000 + Number(place);
}
