// @module-tag slow

import { expect, test } from 'vitest';
import { addSubject, aWorkspace, importRows } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { recordStatements } from '../../test/stores/statements.ts';
import { redetect } from './redetect/redetect.ts';

/** Answers, so long that their batches have 1, 2, 3 ... rows; every second one names the late subject. */
const rows = Array.from({ length: 24 }, (_row, batch) =>
  Array.from({ length: batch + 1 }, (_, place) => ({
    prompt: `Question ${batch} ${place % 5}?`,
    engine: 'chatgpt',
    run_at: new Date(Date.UTC(2026, 9, 1) + batch * 86_400_000 + place * 1000).toISOString(),
    id: `00000000-0000-4000-8000-${String(batch * 1000 + place).padStart(12, '0')}`,
    answer: `Acme${place % 2 === 0 ? ' or Hooli' : ''}. ${'x'.repeat(Math.ceil(2 ** 20 / (batch + 1)))}`,
  })),
).flat();

eachStore({ title: 'statements', onBoth: false }, (open, dialect) => {
  // Each statement stays compiled. On SQLite it also keeps its last values.
  test(
    'an import or a redetection runs few statements, whatever the number of its rows',
    { tags: ['long'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const { sent } = recordStatements();
      const texts = () => new Set(sent().map(({ text }) => text)).size;
      await importRows(store, workspaceId, rows);
      expect(texts()).toBeLessThan(dialect === 'sqlite' ? 64 : 80);
      await addSubject(store, workspaceId, { name: 'Hooli', number: 4 });
      const before = texts();
      expect(await redetect(store, { workspaceId })).toMatchObject({ judged: rows.length });
      expect(texts() - before).toBeLessThan(20);
    },
  );

  // In this order, inserts walk through each index instead of jumping about in it.
  test('an import writes runs in the order of their ids, whatever their order in the file', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const { sent } = recordStatements();
    const few = rows.filter(({ prompt }) => /^Question 2[0-3] /.test(prompt));
    await importRows(store, workspaceId, few.toReversed());
    const ids = few.map(({ id }) => id);
    const written = sent()
      .filter(({ text }) => text.startsWith('insert into runs'))
      .flatMap(({ values }) => values.filter((value) => ids.some((id) => id === value)));
    expect(written).toEqual(ids);
  });
});
