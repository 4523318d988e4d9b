import { expect, test } from 'vitest';
import { aWorkspace, now } from '../../../../test/answers/answers.ts';
import { aJudgedWorkspace, judged } from '../../../../test/answers/stances.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { readStanceDraw } from '../../../reports/stances/draw.ts';

const clock = () => now;

async function anEditor(open: Open) {
  const { store } = await open({ clock });
  const workspaceId = await aJudgedWorkspace(store, judged);
  const web = await startWeb(store, { clock });
  const visitorOf = async (role: 'viewer' | 'editor', id = workspaceId) =>
    new Visitor(web, await newPerson(store, { workspaceId: id, role, clock }));
  const path = `/w/w${workspaceId.slice(0, 8)}/stances/check`;
  const source = { db: store.reader, workspaceId };
  const labels = async () =>
    store.reader
      .selectFrom('stance_labels')
      .select(['run_id', 'stance'])
      .where('workspace_id', '=', workspaceId)
      .execute();
  return { store, workspaceId, visitorOf, path, source, labels };
}

eachStore({ title: 'the page that checks the judge', onBoth: true }, (open) => {
  test('an editor labels one drawn answer after the other, and the figures appear after the last', async () => {
    const { visitorOf, path, source, labels } = await anEditor(open);
    const editor = await visitorOf('editor');
    const drawn = (await readStanceDraw(source))?.items ?? [];
    expect(drawn).toHaveLength(10);
    const stanceOf = await stances(source);
    let next = path;
    for (const [index] of drawn.entries()) {
      const page = await editor.get(next);
      expect(page.body).toContain(`${index} of 10 labelled`);
      const fields = { run: hiddenField(page, 'run'), subject: hiddenField(page, 'subject') };
      const stance = stanceOf.get(`${fields.run} ${fields.subject}`) ?? '';
      const { headers, statusCode } = await editor.post(path, { ...fields, stance });
      expect(statusCode).toBe(303);
      next = String(headers.location);
    }
    expect(await labels()).toHaveLength(10);
    const done = await editor.get(path);
    expect(done.body).toContain('The judge is checked: kappa 1.00');
    expect((await editor.get(path.replace('/check', ''))).body).toContain('Who is recommended');
  });

  test('the page says nothing of the verdict, the judge or its model', async () => {
    const { visitorOf, path, store, workspaceId } = await anEditor(open);
    await store.writer
      .updateTable('stances')
      .set({ stance: 'advised_against', quote: 'PLANTED', purpose: 'PLANTED', model: 'PLANTED' })
      .where('workspace_id', '=', workspaceId)
      .execute();
    const { body } = await (await visitorOf('editor')).get(path);
    expect(body).toContain('Acme and Globex.');
    expect(body).not.toMatch(/PLANTED|judge_api/);
  });

  test('the draw is the same whatever the judge says, and draws one subject of an answer', async () => {
    const { store, workspaceId, source } = await anEditor(open);
    const ids = async () =>
      (await readStanceDraw(source))?.items.map(({ run_id: run, subject_id: id }) => [run, id]);
    const before = await ids();
    expect(new Set(before?.map(([run]) => run)).size).toBe(before?.length);
    await store.writer
      .updateTable('stances')
      .set({ stance: 'mixed', judge: 'other_api' })
      .where('workspace_id', '=', workspaceId)
      .where('stance', 'is not', null)
      .execute();
    expect(await ids()).toEqual(before);
  });

  test(
    'a viewer and a member of another workspace cannot label, and nothing unjudged is labelled',
    { tags: ['once'] },
    async () => {
      const { visitorOf, path, labels, store } = await anEditor(open);
      const editor = await visitorOf('editor');
      const page = await editor.get(path);
      const fields = { run: hiddenField(page, 'run'), subject: hiddenField(page, 'subject') };
      const sent = { ...fields, stance: 'plain' };
      const viewer = await visitorOf('viewer');
      expect((await viewer.get(path)).statusCode).toBe(403);
      expect((await viewer.post(path, sent)).statusCode).toBe(403);
      const other = await aWorkspace(store);
      const stranger = await visitorOf('editor', other);
      expect((await stranger.post(path, sent)).statusCode).toBe(404);
      const own = `/w/w${other.slice(0, 8)}/stances/check`;
      expect((await stranger.post(own, sent)).statusCode).toBe(404);
      expect((await editor.post(path, { ...sent, stance: 'great' })).statusCode).toBe(400);
      expect(await labels()).toEqual([]);
    },
  );
});

/** The stance of each judged subject, by run and subject. */
async function stances({ db, workspaceId }: NonNullable<Parameters<typeof readStanceDraw>[0]>) {
  const rows = await db
    .selectFrom('stances')
    .select(['run_id', 'subject_id', 'stance'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Map(rows.map((row) => [`${row.run_id} ${row.subject_id}`, row.stance ?? '']));
}
