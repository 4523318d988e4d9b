import { expect, test } from 'vitest';
import { aWorkspace } from '../../../../test/answers/answers.ts';
import { anEditor } from '../../../../test/answers/gap-editor.ts';
import { idOf } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { listActions } from '../../../storage/queries/list-actions.ts';

eachStore('the pages of gaps', (open) => {
  test('gaps are listed by status under their priorities, a page at a time', async () => {
    const { page, store } = await anEditor(open, 105);
    await store.writer
      .updateTable('actions')
      .set({ status: 'done' })
      .where('id', 'in', [idOf(1), idOf(2)])
      .execute();
    await store.writer
      .updateTable('actions')
      .set({ priority: 'low' })
      .where('id', '=', idOf(3))
      .execute();
    const list = await page('gaps');
    const tabs = [...list.matchAll(/>(Open|In progress|Done|Dismissed) (\d+)</g)];
    expect(tabs.map(([, words, total]) => [words, total])).toEqual([
      ['Open', '103'],
      ['In progress', '0'],
      ['Done', '2'],
      ['Dismissed', '0'],
    ]);
    expect(list.match(/class="topic"/g)).toHaveLength(100);
    expect(list).toContain('Write &lt;b&gt;page&lt;/b&gt; 4.');
    expect(list.indexOf('>High<')).toBeLessThan(list.indexOf(idOf(4)));
    expect(list.indexOf(idOf(4))).toBeLessThan(list.indexOf('1 of low impact'));
    expect(list.indexOf('1 of low impact')).toBeLessThan(list.indexOf(idOf(3)));
    expect((await page('gaps?page=2')).match(/class="topic"/g)).toHaveLength(3);
    expect((await page('gaps?status=done')).match(/class="topic"/g)).toHaveLength(2);
  });

  test('an editor moves a gap from open to done in one step, and history says who, when, from and to', async () => {
    const { page, move, slug, derive, store, workspaceId } = await anEditor(open);
    const [gap] = await listActions(store.reader, workspaceId, { status: 'open' });
    const id = gap?.id ?? '';
    const moved = await move(id, { from: 'open', status: 'done' });
    expect(moved.headers.location).toBe(`/w/${slug}/gaps#gap-${id}`);
    const details = await page(`gaps/${id}`);
    expect(details).toContain('title="20 November 2026, 12:00, UTC"');
    expect(details).toMatch(/Ada Example ?<\/td> ?<td[^>]*>Open ?<\/td> ?<td[^>]*>Done ?<\/td>/);
    expect(await page('settings/history')).toMatch(
      /Ada Example<\/td> ?<td data-label="What" ?> ?moved a gap: <strong>[^<]*<\/strong> from open to done/,
    );
    expect(await derive()).toMatchObject({ set: 1 });
    const [after] = await listActions(store.reader, workspaceId, { status: 'done' });
    expect(after).toMatchObject({ id, sov_baseline: gap?.sov_baseline });
  });

  test('the second of two people who move the same gap is told who was first, and moves nothing', async () => {
    const { move, visitorOf, store, workspaceId } = await anEditor(open, 1);
    const ben = await visitorOf('editor', 'Ben <i>Example</i>');
    await move(idOf(1), { from: 'open', status: 'in_progress' }, ben);
    for (const status of ['dismissed', 'in_progress']) {
      const told = await move(idOf(1), { from: 'open', status });
      expect(told.statusCode).toBe(409);
      expect(told.body).toContain('Ben &lt;i&gt;Example&lt;/i&gt; moved this gap before you.');
    }
    // The same form, sent twice by the same person, is not a conflict.
    const again = await move(idOf(1), { from: 'open', status: 'in_progress' }, ben);
    expect(again.statusCode).toBe(303);
    const changes = await store.reader
      .selectFrom('action_changes')
      .select(['before', 'status'])
      .where('workspace_id', '=', workspaceId)
      .execute();
    expect(changes).toEqual([{ before: 'open', status: 'in_progress' }]);
  });

  test('a form that was tampered with changes nothing', async () => {
    const { move, store } = await anEditor(open, 1);
    await move(idOf(1), { from: 'open', status: 'dismissed' });
    const statuses = [
      await move(idOf(1), { from: 'dismissed', status: 'closed' }),
      await move(idOf(1), { status: 'open' }),
      await move(idOf(1), { from: 'dismissed', status: 'open', extra: '1' }),
      await move(idOf(2), { from: 'open', status: 'done' }),
      await move(idOf(1).slice(0, 8), { from: 'dismissed', status: 'open' }),
    ].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([400, 400, 400, 404, 404]);
    const [action] = await store.reader.selectFrom('actions').select('status').execute();
    expect(action?.status).toBe('dismissed');
  });

  test('another workspace’s gap, an unknown one and the beginning of an id are not found', async () => {
    const { ada, slug, store } = await anEditor(open, 1);
    const other = await aWorkspace(store);
    await store.writer.updateTable('actions').set({ workspace_id: other }).execute();
    const paths = [idOf(1), idOf(9), idOf(1).slice(0, 13), 'x'];
    for (const id of paths) {
      expect((await ada.get(`/w/${slug}/gaps/${id}`)).statusCode).toBe(404);
      for (const form of ['assigned', 'note'])
        expect((await ada.post(`/w/${slug}/gaps/${id}/${form}`, {})).statusCode).toBe(404);
    }
  });

  test('a gap shows its formula, its answers and its prompt as the command line does', async () => {
    const { page, run, store, workspaceId } = await anEditor(open);
    const gaps = await listActions(store.reader, workspaceId);
    for (const kind of new Set(gaps.map((gap) => gap.kind))) {
      const gap = gaps.find((each) => each.kind === kind);
      const { stdout } = await run(`actions explain ${gap?.id ?? ''}`);
      const [, formula = ''] = /impact = .* = (\d.* = [\d.]+)\n/.exec(stdout) ?? [];
      const shown = await page(`gaps/${gap?.id ?? ''}`);
      expect(formula, stdout).not.toBe('');
      expect(shown).toContain(`= ${formula}</code>`);
      const steps = [...stdout.matchAll(/^ {4}\d\. (\S+ \S+)/gm)].map(([, start]) => start);
      expect(steps.length, stdout).toBeGreaterThan(0);
      expect([...shown.matchAll(/<li data-foreign>(\S+ \S+)/g)].map(([, start]) => start)).toEqual(
        steps,
      );
      const [, count] = /Behind it: (\d+) /.exec(stdout) ?? [];
      expect(shown).toMatch(new RegExp(`>(All )?${count} (answer|request)`));
    }
  });
});
