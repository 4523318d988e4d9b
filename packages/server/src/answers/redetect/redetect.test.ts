import { expect, test } from 'vitest';
import { addSubject, aWorkspace, importRows } from '../../../test/answers/answers.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Store } from '../../storage/store.ts';
import { redetect } from './redetect.ts';
import { rebuildScores } from '../scores/rebuild-scores.ts';

const row = { prompt: 'Which tool?', engine: 'chatgpt', run_at: '2026-11-18T06:00:00Z' };
const rows = [
  { ...row, answer: 'Acme or Globex or Hooli.' },
  { ...row, answer: 'Hooli, then Globex.', run_at: '2026-11-19T06:00:00Z' },
  { ...row, answer: 'Acme.', run_at: '2026-11-19T07:00:00Z', engine: 'claude' },
];
const all = [
  ...rows,
  { ...row, answer: 'Globex: https://globex.de/a or https://globex.com/b', engine: 'gemini' },
  { ...row, prompt: 'Is Hooli good?', answer: '', engine: 'gemini' },
];

/** Changes of subjects, each with the rows whose citations change, and the rows where only the position does. */
const changes: Array<[what: string, recited: number, moved: number, change: Change]> = [
  ['a competitor comes', 2, 0, (store, id) => addSubject(store, id, { name: 'Hooli', number: 4 })],
  ['one goes, and the next moves up', 3, 0, (store, id) => archive(store, id, 2)],
  ['one goes that nobody cites', 0, 0, (store, id) => archive(store, id, 3)],
  ['a domain comes that no answer links', 0, 0, (store, id) => addDomain(store, id, 'globex.dk')],
  ['a link that stands earlier is found', 0, 0, (store, id) => addDomain(store, id, 'globex.de')],
];
type Change = (store: Store, workspaceId: string) => Promise<unknown>;

async function archive({ writer }: Store, workspaceId: string, number: number): Promise<void> {
  await writer
    .updateTable('subjects')
    .set({ archived_at: '2026-11-19T12:00:00.000Z' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', idOf(number))
    .execute();
}

async function addDomain({ writer }: Store, workspaceId: string, domain: string): Promise<void> {
  await writer
    .insertInto('subject_domains')
    .values({ workspace_id: workspaceId, subject_id: idOf(2), domain })
    .execute();
}

/** Everything that readers of a workspace can see, and its revision. */
async function seen(store: Store, workspaceId: string): Promise<unknown[]> {
  const tables: unknown[] = [];
  for (const [table, order] of [
    ['revisions', 'workspace_id'],
    ['runs', 'id'],
    ['detections', 'id'],
    ['scores', 'id'],
    ['run_counts', 'counts'],
  ] as const) {
    tables.push(
      await store.reader
        .selectFrom(table)
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .orderBy(store.reader.dynamic.ref(order))
        .execute(),
    );
  }
  return tables;
}

eachStore('redetect', (open) => {
  test('redetection with unchanged subjects changes nothing, not even the revision', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, rows);
    const before = await seen(store, workspaceId);
    const result = await redetect(store, { workspaceId });
    expect(result).toMatchObject({ judged: 3, changed: 0, outdated: 0, hasChanged: false });
    expect(await seen(store, workspaceId)).toEqual(before);
  });

  test(
    'names take the endings of the prompt’s language, in answers and in branded prompts',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const asked = { ...row, answer: 'Acmes pris er god, Globex’ ikke.' };
      await importRows(store, workspaceId, [
        { ...asked, prompt: 'Hvilket værktøj?', language: 'da' },
        { ...asked, prompt: 'Hvad er Acmes pris?', language: 'da', engine: 'claude' },
        { ...asked, prompt: 'Acmes?', language: 'en', engine: 'gemini' },
      ]);
      const readRuns = () =>
        store.reader
          .selectFrom('runs')
          .innerJoin('detections', 'detections.run_id', 'runs.id')
          .select(['engine', 'branded', 'cited'])
          .where('runs.workspace_id', '=', workspaceId)
          .where('detections.workspace_id', '=', workspaceId)
          .where('subject_type', '=', 'brand')
          .orderBy('engine')
          .execute()
          .then((runs) =>
            runs.map((run) => [run.engine, Boolean(run.branded), Boolean(run.cited)]),
          );
      const danish = [
        ['chatgpt', false, true],
        ['claude', true, true],
      ];
      expect(await readRuns()).toEqual([...danish, ['gemini', false, false]]);
      expect(await redetect(store, { workspaceId })).toMatchObject({ judged: 3, changed: 0 });
      await store.writer
        .updateTable('prompts')
        .set({ language: 'de' })
        .where('workspace_id', '=', workspaceId)
        .where('text', '=', 'Acmes?')
        .execute();
      expect(await redetect(store, { workspaceId, isDryRun: true })).toMatchObject({ changed: 1 });
      expect(await redetect(store, { workspaceId })).toMatchObject({ changed: 1, outdated: 0 });
      expect(await readRuns()).toEqual([...danish, ['gemini', true, true]]);
    },
  );

  test(
    'a dry run for a new competitor reports what redetection then does, and writes nothing',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      await importRows(store, workspaceId, rows);
      await addSubject(store, workspaceId, { name: 'Hooli', number: 4 });
      const before = await seen(store, workspaceId);
      const tried = await redetect(store, { workspaceId, isDryRun: true });
      expect(await seen(store, workspaceId)).toEqual(before);
      expect(tried).toMatchObject({ judged: 3, changed: 3, recited: 2 });
      expect(tried.scores).toMatchObject([
        {
          date: '2026-11-18',
          engine: 'chatgpt',
          before: { citations: 1, total_runs: 1, sov: 0.5 },
          after: { citations: 1, total_runs: 1, sov: 0.3333 },
        },
      ]);
      expect(await redetect(store, { workspaceId })).toEqual(tried);
      expect(await seen(store, workspaceId)).not.toEqual(before);
      expect(await rebuildScores(store, workspaceId)).toMatchObject({ hasChanged: false });
    },
  );

  test.each(changes)(
    'redetection gives the same as a new import: %s',
    { tags: ['once'] },
    async (_what, recited, moved, change) => {
      const { store } = await open();
      const late = await aWorkspace(store);
      await importRows(store, late, all);
      await change(store, late);
      expect(await redetect(store, { workspaceId: late })).toMatchObject({ recited, moved });
      const early = await aWorkspace(store);
      await change(store, early);
      await importRows(store, early, all);
      const tables = async (workspaceId: string) =>
        JSON.stringify((await seen(store, workspaceId)).slice(1)).replaceAll(workspaceId, '');
      expect(await tables(late)).toBe(await tables(early));
    },
  );

  test(
    'redetecting since a moment leaves earlier runs as they are',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      await importRows(store, workspaceId, rows);
      await addSubject(store, workspaceId, { name: 'Hooli', number: 4 });
      const since = '2026-11-19T00:00:00.000Z';
      expect(await redetect(store, { workspaceId, since })).toMatchObject({
        judged: 2,
        changed: 2,
      });
      const found = await store.reader
        .selectFrom('detections')
        .innerJoin('runs', 'runs.id', 'detections.run_id')
        .select('run_at')
        .where('subject_id', '=', idOf(4))
        .where('detections.workspace_id', '=', workspaceId)
        .where('runs.workspace_id', '=', workspaceId)
        .execute();
      expect(found.map((one) => one.run_at >= since)).toEqual([true, true]);
    },
  );

  test(
    'a new alias of the brand may make a prompt branded, and then removes its score',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      await importRows(store, workspaceId, [
        { ...row, prompt: 'Is Apex good?', answer: 'Acme is.' },
      ]);
      const alias = {
        workspace_id: workspaceId,
        subject_id: idOf(1),
        folded: 'apex',
        alias: 'Apex',
      };
      await store.writer
        .insertInto('subject_aliases')
        .values({ ...alias, match: 'default' })
        .execute();
      const result = await redetect(store, { workspaceId });
      expect(result.scores).toMatchObject([{ before: { total_runs: 1 }, after: undefined }]);
      const scores = await store.reader
        .selectFrom('scores')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .execute();
      expect(scores).toEqual([]);
    },
  );

  test('runs that another method judged are reported and brought up to date', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, rows);
    await store.writer.updateTable('runs').set({ method: 'rules 0' }).execute();
    expect(await redetect(store, { workspaceId })).toMatchObject({ outdated: 3, changed: 0 });
    expect(await redetect(store, { workspaceId })).toMatchObject({ outdated: 0 });
  });

  test("another workspace's runs and runs without answers are not touched", async () => {
    const { store } = await open();
    const [workspaceId, other] = [await aWorkspace(store), await aWorkspace(store)];
    await importRows(store, other, rows);
    const run = {
      id: idOf(7),
      prompt_id: null,
      engine: 'chatgpt',
      run_at: '2026-11-18T00:00:00.000Z',
    };
    await store.writer
      .insertInto('runs')
      .values({ workspace_id: workspaceId, ...run })
      .execute();
    const before = await seen(store, other);
    await addSubject(store, other, { name: 'Hooli', number: 4 });
    expect(await redetect(store, { workspaceId })).toMatchObject({ judged: 0, hasChanged: false });
    expect(await seen(store, other)).toEqual(before);
  });
});
