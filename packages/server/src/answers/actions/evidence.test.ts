import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../../test/answers/answers.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { readSubjects } from '../subjects.ts';
import { createPageReader, readRunEvidence } from './evidence.ts';

eachStore('the evidence of a run', (open) => {
  test('a page that an answer links to counts although another page of its site is a source', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const row = { prompt: 'Which tool?', engine: 'chatgpt', run_at: '2026-11-20T06:00:00Z' };
    const answer = 'Globex: [reviews](https://g2.com/crm).';
    await importRows(store, workspaceId, [{ ...row, answer, sources: ['https://g2.com/about'] }]);
    const { id: promptId } = await store.reader
      .selectFrom('prompts')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    const [run] = await readRunEvidence(store.reader, workspaceId, {
      promptId,
      span: { from: '2026-11-20', before: '2026-11-21' },
      reader: createPageReader(await readSubjects(store.reader, workspaceId)),
    });
    expect(run?.pages).toEqual(['g2.com/about', 'g2.com/crm']);
  });
});
