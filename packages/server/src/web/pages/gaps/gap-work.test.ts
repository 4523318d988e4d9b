import { expect, test } from 'vitest';
import { z } from 'zod';
import { importRows, now } from '../../../../test/answers/answers.ts';
import { anEditor } from '../../../../test/answers/gap-editor.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { idOf } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { changeAction } from '../../../answers/actions/stored-actions.ts';
import { listActions } from '../../../storage/queries/list-actions.ts';
import { fillCounts } from '../../../answers/counts/fill-counts.ts';
import { makeReportLink } from '../../../people/report-links.ts';
import { changeMember } from '../../../people/members.ts';
import { readGapResults } from '../../../reports/gap-results.ts';

const clock = () => now;

eachStore('work on gaps', (open) => {
  test('a gap is assigned to a member and has a note, and the API does not change by it', async () => {
    const { page, ada, slug, store, workspaceId, visitorOf, text, derive } = await anEditor(open);
    await visitorOf('viewer', 'Ben <i>Example</i>');
    const [gap] = await listActions(store.reader, workspaceId, { status: 'open' });
    const id = gap?.id ?? '';
    const before = await text('actions');
    const details = await page(`gaps/${id}`);
    const [, ben = ''] = /value="([^"]*)"[^>]*>Ben &lt;i&gt;/.exec(details) ?? [];
    const path = `/w/${slug}/gaps/${id}`;
    expect((await ada.post(`${path}/assigned`, { assigned: ben })).headers.location).toBe(path);
    await ada.post(`${path}/note`, { was: '', note: ' Asked <b>them</b>.\r\nNo answer yet. ' });
    const shown = (await ada.get(path)).body;
    expect(shown).toContain('Asked &lt;b&gt;them&lt;/b&gt;.\nNo answer yet.</textarea>');
    expect(shown).toMatch(/<dt>Assigned to<\/dt>\s*<dd>Ben &lt;i&gt;Example&lt;\/i&gt;<\/dd>/);
    expect(await page('gaps')).toContain('Assigned to Ben &lt;i&gt;Example');
    expect(await page(`gaps?assigned=${ben}`)).toContain(id);
    expect(await page('gaps?assigned=nobody')).not.toContain(id);
    expect(await page('settings/history')).toMatch(
      /assigned a gap: <strong>[^<]*<\/strong> from nobody to Ben/,
    );
    expect(await page('settings/history')).toContain('changed the note of a gap:');
    // Finding gaps again leaves both as they are.
    await derive();
    expect(await page('gaps')).toContain('Assigned to Ben &lt;i&gt;Example');
    expect(await text('actions')).toBe(before);
    await ada.post(`${path}/assigned`, { assigned: '' });
    await ada.post(`${path}/note`, { was: 'Asked <b>them</b>.\nNo answer yet.', note: '' });
    const [after] = await listActions(store.reader, workspaceId, { status: 'open' });
    expect(after).toMatchObject({ id, assigned_to: null, note: null });
  });

  test('a gap of a person who has left says so, and nobody who is not a member is assigned one', async () => {
    const { page, ada, slug, store, workspaceId, visitorOf } = await anEditor(open, 1);
    await visitorOf('editor', 'Ben Example');
    const path = `/w/${slug}/gaps/${idOf(1)}`;
    const [, ben = ''] =
      /value="([^"]*)"[^>]*>Ben Example/.exec(await page(`gaps/${idOf(1)}`)) ?? [];
    await ada.post(`${path}/assigned`, { assigned: ben });
    await changeMember(store, { workspaceId, userId: ben, role: null }, { userId: null, clock });
    expect(await page(`gaps/${idOf(1)}`)).toContain('Ben Example (no longer a member)');
    expect(await page('gaps')).toContain('Assigned to Ben Example (no longer a member)');
    expect((await ada.post(`${path}/assigned`, { assigned: ben })).statusCode).toBe(400);
    const stranger = await newPerson(store, { clock, name: 'Cleo Example' });
    expect((await ada.post(`${path}/assigned`, { assigned: stranger.id })).statusCode).toBe(400);
    const [action] = await listActions(store.reader, workspaceId);
    expect(action?.assigned_to).toBe(ben);
  });

  test('of two people who change a note, the second loses nothing that either has written', async () => {
    const { ada, slug, store, workspaceId } = await anEditor(open, 1);
    const path = `/w/${slug}/gaps/${idOf(1)}/note`;
    await ada.post(path, { was: '', note: 'The first <i>note</i>' });
    const second = await ada.post(path, { was: '', note: 'The second note' });
    expect(second.statusCode).toBe(409);
    expect(second.body).toContain('The first &lt;i&gt;note&lt;/i&gt;');
    expect(second.body).toContain('The second note</textarea>');
    const [action] = await listActions(store.reader, workspaceId);
    expect(action?.note).toBe('The first <i>note</i>');
  });

  test('reverting an import keeps an imported gap that someone was assigned or has noted', async () => {
    const { ada, slug, store, workspaceId, run } = await anEditor(open, 1);
    await store.writer.deleteFrom('actions').execute();
    const rows = ['a', 'b', 'c'].map((words) =>
      JSON.stringify({ recommendation: words, priority: 'low' }),
    );
    await run('import actions - --format ndjson', { stdin: rows.join('\n') });
    const actions = await listActions(store.reader, workspaceId);
    const idOfWords = (words: string) =>
      actions.find(({ recommendation }) => recommendation === words)?.id ?? '';
    await ada.post(`/w/${slug}/gaps/${idOfWords('a')}/note`, { was: '', note: 'Tried it.' });
    const { stdout } = await run('imports list --json');
    const listed = z.object({ imports: z.array(z.object({ id: z.number() })) });
    const [last] = listed.parse(JSON.parse(stdout)).imports;
    expect((await run(`imports revert ${last?.id ?? 0} --yes`)).code).toBe(0);
    const left = await listActions(store.reader, workspaceId);
    expect(left.map(({ recommendation }) => recommendation)).toEqual(['a']);
  });

  test('a report link shows neither who is to fix a gap nor its note', async () => {
    const { ada, page, slug, store, workspaceId, visitorOf } = await anEditor(open, 1);
    await visitorOf('editor', 'Ben Example');
    const cleo = await newPerson(store, {
      workspaceId,
      role: 'editor',
      clock,
      name: 'Cleo Example',
    });
    const path = `/w/${slug}/gaps/${idOf(1)}`;
    const [, ben = ''] =
      /value="([^"]*)"[^>]*>Ben Example/.exec(await page(`gaps/${idOf(1)}`)) ?? [];
    await ada.post(`${path}/assigned`, { assigned: ben });
    expect(await page('gaps')).toContain('Assigned to Ben Example');
    await ada.post(`${path}/note`, { was: '', note: 'Tried it.' });
    const link = { id: idOf(9), workspace_id: workspaceId, name: 'For the boss' };
    const token = await makeReportLink(
      store.access,
      { ...link, page: 'gaps', view: '', has_texts: true },
      { days: 7, userId: cleo.id, clock },
    );
    const { statusCode, body } = await ada.get(`/s/${token}`);
    expect([statusCode, body]).toEqual([200, expect.stringContaining('&lt;b&gt;page')]);
    expect(body).not.toContain('Ben Example');
    expect(body).not.toContain('Tried it.');
  });

  test('removing the answers behind a gap keeps it if it was assigned or noted', async () => {
    const { ada, slug, store, workspaceId, run } = await anEditor(open);
    const before = await listActions(store.reader, workspaceId, { status: 'open' });
    const noted = before.find(({ kind }) => kind === 'absent' || kind === 'rarely cited')?.id ?? '';
    await ada.post(`/w/${slug}/gaps/${noted}/note`, { was: '', note: 'Tried it.' });
    for (const engine of ['chatgpt', 'perplexity', 'gemini', 'claude'])
      await run(`answers remove --engine ${engine} --yes`);
    const after = await listActions(store.reader, workspaceId, { status: 'open' });
    expect(after.length).toBeLessThan(before.length);
    expect(after.map(({ id }) => id)).toContain(noted);
  });

  test('a gap that is done shows the 28 days before and after it with the verdict, and until then when that will be', async () => {
    const { page, store, workspaceId, slug, visitorOf } = await anEditor(open, 2);
    const day = (back: number) => new Date(now - back * 86_400_000).toISOString();
    // Acme is in one of 14 answers before the gap was done, and in 12 of 14 after it.
    const answers = Array.from({ length: 28 }, (_, index) => ({
      prompt: 'Which CRM?',
      engine: 'chatgpt',
      run_at: day(index < 14 ? 56 - index : 27 - (index - 14)),
      answer: index === 0 || index > 15 ? 'Acme.' : 'Globex.',
    }));
    await importRows(store, workspaceId, answers);
    await fillCounts(store, workspaceId);
    const [prompt] = await store.reader.selectFrom('prompts').select('id').execute();
    await importRows(
      store,
      workspaceId,
      answers.map((row) => ({ ...row, prompt: 'Which ERP?', answer: 'Globex.' })),
    );
    await fillCounts(store, workspaceId);
    for (const [id, back] of [
      [idOf(1), 29],
      [idOf(2), 3],
    ] as const) {
      await store.writer
        .updateTable('actions')
        .set({ prompt_id: prompt?.id })
        .where('id', '=', id)
        .execute();
      const wish = { id, status: 'done', clock: () => now - back * 86_400_000 } as const;
      await changeAction(store, workspaceId, wish);
    }
    const viewer = await visitorOf('viewer', 'Cleo Example');
    const shown = (await viewer.get(`/w/${slug}/gaps/${idOf(1)}`)).body
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ');
    expect(shown).toContain(
      '86 % of 14 answers in the 28 days after, 7 % of 14 answers before: \u2191 79 points',
    );
    const results = await readGapResults(
      { db: store.reader, workspaceId },
      {
        gaps: [[prompt?.id ?? '', idOf(9)], []].map((promptIds) => ({
          promptIds,
          day: day(29).slice(0, 10),
        })),
        today: day(0).slice(0, 10),
      },
    );
    expect(results.map(({ before }) => before.whole)).toEqual([14, 28]);
    const list = (await page('gaps?status=done'))
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ');
    expect(list).toContain('86 % of 14 answers in the 28 days after, 7 % of 14 answers before');
    expect(list).toContain('The 28 days after it end on 15 December 2026.');
  });
});
