import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { aWorkspace, importRows } from '../../../test/answers/answers.ts';
import { aPrompt, idOf, writeRows } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Store } from '../../storage/store.ts';

const named = { prompt_id: idOf(1), engine: 'chatgpt', answer: 'Globex.' };
const older = { ...named, prompt: 'Best CRM?', run_at: '2026-11-10T00:00:00Z', id: idOf(11) };
const newer = { ...named, prompt: 'Which CRM?', run_at: '2026-11-12T00:00:00Z', id: idOf(12) };
const bare = { ...named, run_at: '2026-11-08T00:00:00Z', id: idOf(13) };

async function prompts(store: Store, workspaceId: string) {
  return store.reader
    .selectFrom('prompts')
    .select(['id', 'text', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
}

async function asked(store: Store, workspaceId: string): Promise<Record<string, string>> {
  const answers = await store.reader
    .selectFrom('answers')
    .select(['run_id', 'asked'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('run_id')
    .execute();
  return Object.fromEntries(answers.map((row) => [row.run_id, row.asked]));
}

eachStore('answers with a prompt_id', (open) => {
  test('a row may have the id alone of a prompt whose text is in a later row of the file', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, [bare, newer]);
    expect(await prompts(store, workspaceId)).toEqual([
      { id: idOf(1), text: 'Which CRM?', created_at: '2026-11-08T00:00:00.000Z' },
    ]);
    expect(await asked(store, workspaceId)).toEqual({
      [idOf(12)]: 'Which CRM?',
      [idOf(13)]: 'Which CRM?',
    });
  });

  test('a prompt_id without a text in the file or the data is refused, with the line of each', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const unknown = [2, 3].map((number) => ({
      ...bare,
      prompt_id: idOf(number),
      id: idOf(number),
    }));
    await expect(importRows(store, workspaceId, [newer, ...unknown])).rejects.toThrow(
      /^rows:2: field "prompt_id": expected .* in another row.*\nrows:3: field "prompt_id"/,
    );
    expect(await prompts(store, workspaceId)).toEqual([]);
  });

  test(
    'each run keeps the text that was asked, and the prompt the text that was asked last',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      for (const files of [
        [[older, newer]],
        [[newer, older]],
        [[older], [newer]],
        [[newer], [older]],
      ]) {
        const workspaceId = await aWorkspace(store);
        for (const file of files) await importRows(store, workspaceId, file);
        expect(await prompts(store, workspaceId)).toEqual([
          { id: idOf(1), text: 'Which CRM?', created_at: '2026-11-10T00:00:00.000Z' },
        ]);
        expect(await asked(store, workspaceId)).toEqual({
          [idOf(11)]: 'Best CRM?',
          [idOf(12)]: 'Which CRM?',
        });
      }
    },
  );

  test('a text that a person has set stays, whatever was asked', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await writeRows(store, workspaceId, { prompts: [aPrompt({ id: idOf(1), text: 'CRMs' })] });
    await importRows(store, workspaceId, [older]);
    await importRows(store, workspaceId, [newer]);
    expect(await prompts(store, workspaceId)).toMatchObject([{ text: 'CRMs' }]);
    const again = await importRows(store, workspaceId, [newer, older]);
    expect(again).toMatchObject({ hasChanged: false });
  });

  test(
    'a row that brings the text of an earlier row’s prompt is not lost',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      for (const file of [
        [older, { ...newer, prompt: undefined }, newer],
        [newer, { ...newer, prompt: undefined }, older],
        [{ ...older, prompt: undefined }, older, newer],
      ]) {
        const workspaceId = await aWorkspace(store);
        expect(await importRows(store, workspaceId, file)).toMatchObject({ repeated: 1 });
        expect(await asked(store, workspaceId)).toEqual({
          [idOf(11)]: 'Best CRM?',
          [idOf(12)]: 'Which CRM?',
        });
      }
    },
  );

  test(
    'one run cannot have two prompt texts, within a file or compared with a stored run',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const other = { ...newer, prompt: 'Which tool?' };
      const { id: _, ...alike } = newer;
      for (const file of [
        [newer, other],
        [newer, { ...newer, prompt: undefined }, other],
        [alike, { ...alike, prompt: 'x' }],
      ]) {
        await expect(importRows(store, workspaceId, file)).rejects.toThrow(
          /field "prompt": expected "Which CRM\?" as in line 1, which has the same run id .*, found "/,
        );
      }
      await importRows(store, workspaceId, [newer]);
      await expect(importRows(store, workspaceId, [other])).rejects.toThrow(
        /field "prompt": expected "Which CRM\?" as it is stored .*, found "Which tool\?"/,
      );
      const bareAgain = await importRows(store, workspaceId, [{ ...newer, prompt: undefined }]);
      expect(bareAgain).toMatchObject({ hasChanged: false });
    },
  );

  test(
    'the order of rows changes nothing, however many only name their prompt',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const row = fc.record(
        {
          prompt: fc.constantFrom('Best CRM?', 'Which CRM?', 'Is Acme good?'),
          run_at: fc.integer({ min: 1, max: 6 }).map((day) => `2026-11-0${day}T00:00:00Z`),
          id: fc.uuid(),
        },
        { requiredKeys: ['run_at', 'id'] },
      );
      const files = fc
        .array(row, { maxLength: 8 })
        .map((rows) => [older, ...rows.map((one) => ({ ...named, ...one }))])
        .chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        );
      await fc.assert(
        fc.asyncProperty(files, async ([file, shuffled]) => {
          const [left, right] = [await aWorkspace(store), await aWorkspace(store)];
          await importRows(store, left, file);
          await importRows(store, right, shuffled);
          expect(await prompts(store, right)).toEqual(await prompts(store, left));
          expect(await asked(store, right)).toEqual(await asked(store, left));
        }),
        { numRuns: cases(15) },
      );
    },
  );
});
