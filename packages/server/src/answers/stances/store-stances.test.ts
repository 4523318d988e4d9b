import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../../test/answers/answers.ts';
import { aStance, answers, writeStances } from '../../../test/answers/stances.ts';
import { recordStatements } from '../../../test/stores/statements.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { storeStances } from './store-stances.ts';

const clock = () => Date.parse('2026-11-25T00:00:00.000Z');

eachStore('storing stances', (open) => {
  test('the first stance of another judge removes those of the earlier one, and followers read their days again', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const other = await aWorkspace(store);
    for (const id of [workspaceId, other]) {
      await importRows(store, id, answers);
      await writeStances(store, id, [
        aStance(0, 0, { subject: 'Acme', stance: 'also' }),
        aStance(4, 0, { subject: 'Acme', stance: 'also' }),
      ]);
    }
    await store.writer.deleteFrom('change_days').execute();
    const { id: runId } = await store.reader
      .selectFrom('runs')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('run_at', '=', '2026-11-12T00:00:00.000Z')
      .executeTakeFirstOrThrow();
    const { id } = await store.reader
      .selectFrom('subjects')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('name', '=', 'Acme')
      .executeTakeFirstOrThrow();
    const presentation = { stance: 'plain', purpose: null, quote: 'Acme and Globex.' } as const;
    const answer = { runId, judge: 'other_api', model: null, version: 1 };
    const subjects = [{ id, isByRule: false, presentation }];
    const { sent } = recordStatements();
    const stored = await storeStances(store, workspaceId, [{ ...answer, subjects }], { clock });
    // Citus refuses to set the column by which a table is distributed.
    expect(sent().filter(({ text }) => /do update set.*workspace_id = \$/.test(text))).toEqual([]);

    expect(stored).toMatchObject({ judged: 1, void: 0 });
    const rows = await store.reader
      .selectFrom('stances')
      .select(['workspace_id', 'judge'])
      .orderBy('judge')
      .execute();
    expect(rows).toEqual([
      { workspace_id: other, judge: 'judge_api' },
      { workspace_id: other, judge: 'judge_api' },
      { workspace_id: workspaceId, judge: 'other_api' },
    ]);
    const days = await store.reader
      .selectFrom('change_days')
      .select(['kind', 'date'])
      .orderBy('kind')
      .orderBy('date')
      .execute();
    const dates = ['2026-11-10', '2026-11-12', '2026-11-14'];
    expect(days).toEqual(
      ['answers', 'detections'].flatMap((kind) => dates.map((date) => ({ kind, date }))),
    );
  });
});
