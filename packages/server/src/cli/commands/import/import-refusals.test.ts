import { expect, test } from 'vitest';
import { least, prompt, setUp } from '../../../../test/answers/importing.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { findWorkspace } from '../../../workspaces/workspaces.ts';
import { withStore } from '../../define/with-store.ts';

/** Files that are refused before any row can be. */
const wrongFiles = [
  [Buffer.from('text,locale\n', 'utf16le'), 'is in UTF-16'],
  [Buffer.from('text,locale\ncaf\xe9,en-US\n', 'latin1'), ':2: expected UTF-8'],
] as const;

eachDatabase('a file that is refused', (create) => {
  test('a file that is refused changes nothing', async () => {
    const { url, bring, listed } = await setUp(create);
    const revision = async (): Promise<unknown> =>
      withStore(url, async (store) => {
        const { id } = await findWorkspace(store.reader, 'acme');
        return store.reader
          .selectFrom('revisions')
          .selectAll()
          .where('workspace_id', '=', id)
          .execute();
      });
    await bring('prompts', [least.prompts]);
    const before = await revision();
    const wrong = await bring('scores', [least.scores, { ...least.scores, citations: 4 }]);
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    for (const [content, words] of wrongFiles) {
      const outcome = await bring('prompts', content);
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toContain(words);
    }
    expect(await listed('scores')).toEqual([]);
    expect(await listed('prompts')).toHaveLength(1);
    expect(await revision()).toEqual(before);
    // Nor does a file whose rows are stored already.
    await bring('prompts', [least.prompts]);
    expect(await revision()).toEqual(before);
  });

  test('a file is refused for one bad row among many, and every bad row is counted', async () => {
    const { bring, listed } = await setUp(create);
    const rows = Array.from({ length: 3000 }, (_, index) => ({ ...least.hits, path: `/${index}` }));
    const one = await bring('hits', rows.with(2345, { ...least.hits, path: '' }));
    expect(one.stderr).toBe(
      'standard input:2346: field "path": expected text that is not empty, found "".\nNothing was imported.\n',
    );
    const many = await bring(
      'hits',
      rows.map((row, index) => (index % 30 === 0 ? { ...row, method: 1 } : row)),
    );
    expect(many.stderr.split('\n')).toHaveLength(23);
    expect(many.stderr).toContain('\n... and 80 more.\nNothing was imported.\n');
    expect(await listed('hits')).toEqual([]);
  });

  test('a refused file leaves no first rows behind if a later row contradicts a stored one', async () => {
    const { bring, listed } = await setUp(create);
    const row = { ...least.detections, subject_id: prompt, id: prompt };
    await bring('detections', [row]);
    const more = Array.from({ length: 600 }, () => ({
      ...least.detections,
      run_id: crypto.randomUUID(),
    }));
    const outcome = await bring('detections', [...more, { ...row, id: crypto.randomUUID() }]);
    expect(outcome).toMatchObject({ code: 1 });
    expect(outcome.stderr).toContain('standard input:601: field "id"');
    expect(await listed('detections')).toHaveLength(1);
  });
});
