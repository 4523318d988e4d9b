import { expect, test } from 'vitest';
import { z } from 'zod';
import { aWorkspace } from '../../../../test/answers/answers.ts';
import { anEditor } from '../../../../test/answers/gap-editor.ts';
import { idOf } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { actionStatuses } from '../../../answers/actions/stored-actions.ts';
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

  test('each gap has one menu, which moves it from every status to every other', async () => {
    const { page, move, store } = await anEditor(open, 1);
    for (const from of actionStatuses) {
      for (const to of actionStatuses.filter((each) => each !== from)) {
        await store.writer.updateTable('actions').set({ status: from }).execute();
        const list = await page(`gaps?status=${from}`);
        const menus = list.match(/<details class="pick"[^>]*>[^]*?<form[^]*?<\/details>/g) ?? [];
        const ofGap = menus.findLast((menu) => menu.includes(`gaps/${idOf(1)}`)) ?? '';
        expect(ofGap).toContain(`value="${to}"`);
        expect(ofGap).not.toContain(`name="status" value="${from}"`);
        expect((await move(idOf(1), { from, status: to })).statusCode).toBe(303);
        const [action] = await store.reader.selectFrom('actions').select('status').execute();
        expect(action?.status).toBe(to);
      }
    }
  });

  test('the priority is a word on pages of gaps, and the impact a number in the CSV', async () => {
    const { page, run, ada, slug } = await anEditor(open, 25);
    expect(await page(`gaps/${idOf(1)}`)).toContain('<p>Impact: medium.</p>');
    const { stdout } = await run('actions list');
    expect(stdout).toContain(`${idOf(1)}  medium  high`);
    const { body } = await ada.get(`/w/${slug}/gaps?status=open&format=csv`);
    expect(body).toContain(',49,');
    const json = await run('actions list --json');
    expect(json.stdout).toContain('"impact_score": 49');
  });

  test('a move leads back to the list as it was narrowed', async () => {
    const { page, ada, slug } = await anEditor(open, 2);
    const shown = await page('gaps?kind=imported&assigned=nobody&engine=');
    const [, action = ''] = /<form method="post" action="([^"]*gaps\/0[^"]*)"/.exec(shown) ?? [];
    const fields = { back: 'list', from: 'open', status: 'done' };
    const { headers } = await ada.post(action.replaceAll('&amp;', '&'), fields);
    expect(headers.location?.split('#')[0]).toBe(`/w/${slug}/gaps?kind=imported&assigned=nobody`);
  });

  test('the pages of gaps show the same gaps as the API, in its order, and as a file', async () => {
    const { ada, slug, read } = await anEditor(open);
    const listed = z.object({ actions: z.array(z.object({ id: z.string() })) });
    const { actions } = listed.parse(await read('actions?status=open'));
    const { body } = await ada.get(`/w/${slug}/gaps`);
    const shown = [...body.matchAll(/id="gap-([^"]*)"/g)].map(([, id]) => id);
    expect(shown.length).toBeGreaterThan(3);
    expect(shown).toEqual(actions.map(({ id }) => id));
    const file = await ada.get(`/w/${slug}/gaps?status=open&format=csv`);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    const ids = file.body
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect(ids).toEqual(actions.map(({ id }) => id));
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

  test('the list and a gap respond with 304 until a move, or until a person in the history has a new name', async () => {
    const { ada, move, slug, store } = await anEditor(open, 1);
    const paths = [`/w/${slug}/gaps`, `/w/${slug}/gaps/${idOf(1)}`];
    const tags = async () =>
      Promise.all(paths.map(async (path) => String((await ada.get(path)).headers['etag'])));
    const again = async (known: readonly string[]) =>
      Promise.all(
        paths.map(async (path, index) => {
          const seen = { 'if-none-match': known[index] ?? '' };
          return (await ada.get(path, seen)).statusCode;
        }),
      );
    const first = await tags();
    expect(await again(first)).toEqual([304, 304]);
    await move(idOf(1), { from: 'open', status: 'done' });
    expect(await again(first)).toEqual([200, 200]);
    const second = await tags();
    await store.access.updateTable('users').set({ name: 'Ada Renamed' }).execute();
    expect((await again(second))[1]).toBe(200);
    expect((await ada.get(paths[1] ?? '')).body).toContain('Ada Renamed');
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

  test('the head of a gap is its link and its title, its first fact is the reason, and engines have names', async () => {
    const { page, store } = await anEditor(open, 2);
    const recommendation = 'Win back "Is grok: good?": grok 0 of 4; cited instead: Globex (2).';
    await store.writer
      .updateTable('actions')
      .set({ recommendation })
      .where('id', '=', idOf(1))
      .execute();
    const head = 'Win back &quot;Is grok: good?&quot;';
    const shown = await page('gaps');
    expect(shown).toMatch(new RegExp(`>${head.replace('?', '\\?')}</a ?>`));
    expect(shown).toContain('data-foreign>Grok 0 of 4.</p>');
    expect(shown).toContain('Write &lt;b&gt;page&lt;/b&gt; 2.');
    expect(await page(`gaps/${idOf(1)}`)).toMatch(
      new RegExp(`<h1[^>]*>${head.replace('?', '\\?')}</h1>`),
    );
  });

  test('a viewer reads gaps and changes none', async () => {
    const { page, move, visitorOf, slug } = await anEditor(open, 1);
    const viewer = await visitorOf('viewer', 'Cleo Example');
    expect(await page('gaps', viewer)).not.toContain('name="status"');
    expect((await move(idOf(1), { from: 'open', status: 'done' }, viewer)).statusCode).toBe(403);
    for (const form of ['assigned', 'note'])
      expect((await viewer.post(`/w/${slug}/gaps/${idOf(1)}/${form}`, {})).statusCode).toBe(403);
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

  test.each([
    'status=closed',
    'view=table',
    'kind=nothing',
    'assigned=x',
    'page=0',
    'page=x',
    'priority=',
    'nothing=1',
    'status=open&status=done',
  ])('an unknown, repeated or malformed parameter is refused: %s', async (query) => {
    const { ada, slug } = await anEditor(open, 1);
    const { statusCode } = await ada.get(`/w/${slug}/gaps?${query}`);
    expect(statusCode).toBe(query === 'priority=' ? 200 : 400);
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
