// @module-tag slow
import { expect, test } from 'vitest';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { newTenant } from '../../../../test/servers/api.ts';
import { importRows } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Store } from '../../../storage/store.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import { addSubject, setSubject } from '../../../workspaces/write-subject.ts';

const clock = Date.now;

eachStore('subjects', (open) => {
  test('a competitor is tracked after a look at what it would do, and the stored answers follow', async () => {
    const { store, visitor, path, workspaceId } = await anEditor(await open());
    await importRows(store, workspaceId, [
      {
        prompt: 'Which CRM?',
        engine: 'chatgpt',
        run_at: '2026-11-19T12:00:00Z',
        answer: 'Try <b>Umbrella</b> & co. Or another one.',
      },
    ]);
    const form = hiddenField(await visitor.get(`${path}/new`), 'form');
    const typed = { form, name: 'umbrella', aliases: 'Umbrela\r\n\r\nUmbrella Inc' };
    const unseen = await visitor.post(`${path}/new`, { ...typed, do: 'save' });
    expect(unseen.body).toContain('Nothing was saved');
    const look = await preview(visitor, `${path}/new`, { ...typed, do: 'look' });
    expect(look.statusCode).toBe(200);
    expect(look.body).toContain('Try &lt;b&gt;<mark>Umbrella</mark>&lt;/b&gt; &amp; co.');
    expect(look.body).toMatch(/Sentences and links that would count \(1\)/);
    expect(look.body).toContain('Umbrella Inc</textarea');
    const seen = hiddenField(look, 'seen');
    const other = await visitor.post(`${path}/new`, { ...typed, name: 'Other', seen, do: 'save' });
    expect(other.body).toContain('You changed the words after the preview');
    const [saved, twice] = await Promise.all(
      ['', ''].map(() => visitor.post(`${path}/new`, { ...typed, seen, do: 'save' })),
    );
    expect([saved?.headers.location, twice?.headers.location]).toEqual([path, path]);
    expect(await reached(store, { workspaceId, id: form })).toMatchObject({ state: 'done' });
    const page = await visitor.get(path);
    expect(page.body.replaceAll(/\s+/g, ' ')).toContain(
      '1 stored answer was counted again: who appears changed in 1;',
    );
    const subjects = await listSubjects(store.reader, workspaceId);
    expect(subjects.map(({ name }) => name).slice(1)).toEqual(['umbrella']);
    const reused = await preview(visitor, `${path}/new`, { ...typed, name: 'Third', do: 'look' });
    const third = { ...typed, name: 'Third', seen: hiddenField(reused, 'seen'), do: 'save' };
    expect((await visitor.post(`${path}/new`, third)).statusCode).toBe(409);
  });

  test(
    'the second of two people who change one subject sees the stored version, and keeps the typed text',
    { tags: ['long'] },
    async () => {
      const { store, visitor, path, workspaceId } = await anEditor(await open());
      const { id } = await addSubject(store, workspaceId, { clock, words: { name: 'Globex' } });
      const opened = await visitor.get(`${path}/${id}`);
      const [form, version] = [hiddenField(opened, 'form'), hiddenField(opened, 'version')];
      const typed = { form, version, name: 'Globex', aliases: 'GBX Group' };
      const look = await preview(visitor, `${path}/${id}`, { ...typed, do: 'look' });
      await setSubject(store, workspaceId, id, { name: 'Globex International' });
      const save = { ...typed, seen: hiddenField(look, 'seen'), do: 'save' };
      const late = await visitor.post(`${path}/${id}`, save);
      expect(late.statusCode).toBe(409);
      expect(late.body).toContain('name: Globex International');
      expect(late.body).toContain('GBX Group</textarea');
      const newer = { ...typed, version: hiddenField(late, 'version') };
      const again = await preview(visitor, `${path}/${id}`, { ...newer, do: 'look' });
      const seen = hiddenField(again, 'seen');
      const saved = await visitor.post(`${path}/${id}`, { ...newer, seen, do: 'save' });
      expect(saved.statusCode).toBe(303);
      await reached(store, { workspaceId, id: form });
      const [, subject] = await listSubjects(store.reader, workspaceId);
      expect(subject).toMatchObject({ name: 'Globex', aliases: [{ alias: 'GBX Group' }] });
    },
  );

  test(
    'a competitor is archived after a look, the brand never, and a foreign one is not found',
    { tags: ['once'] },
    async () => {
      const place = await open();
      const { store, visitor, path, workspaceId } = await anEditor(place);
      const foreign = await newTenant(store);
      const { id } = await addSubject(store, workspaceId, { clock, words: { name: 'Globex' } });
      const [brand] = await listSubjects(store.reader, workspaceId);
      const [abroad] = await listSubjects(store.reader, foreign.workspaceId);
      expect((await visitor.get(`${path}/${abroad?.id}`)).statusCode).toBe(404);
      const opened = await visitor.get(`${path}/${id}`);
      const form = { form: hiddenField(opened, 'form'), version: hiddenField(opened, 'version') };
      const look = await preview(visitor, `${path}/${id}`, {
        ...form,
        name: 'x',
        do: 'look-archive',
      });
      const seen = hiddenField(look, 'seen');
      const typed = { ...form, name: 'x', seen, do: 'archive' };
      expect((await visitor.post(`${path}/${id}`, typed)).statusCode).toBe(303);
      await reached(store, { workspaceId, id: form.form });
      expect(await listSubjects(store.reader, workspaceId)).toHaveLength(1);
      expect((await visitor.get(`${path}/${id}`)).statusCode).toBe(409);
      expect((await visitor.get(path)).body).toContain('Archive Globex');
      const page = await visitor.get(`${path}/${brand?.id}`);
      expect(page.body).not.toContain('look-archive');
      const brandForm = { form: hiddenField(page, 'form'), version: hiddenField(page, 'version') };
      const never = await visitor.post(`${path}/${brand?.id}`, {
        ...brandForm,
        do: 'look-archive',
      });
      expect(never.statusCode).toBe(409);
      const history = await visitor.get(path.replace('subjects', 'history'));
      expect(history.body).toMatch(/archived a competitor\s*<strong>Globex/);
    },
  );
});

async function anEditor(place: { store: Store; url: string }) {
  const { store } = place;
  const web = await startWeb(store, { runner: aRunner(place), clock });
  const { workspaceId, slug } = await newTenant(store);
  const person = await newPerson(store, { workspaceId, role: 'editor', clock });
  const visitor = new Visitor(web, person);
  return { store, visitor, workspaceId, path: `/w/${slug}/settings/subjects` };
}

/** Asks for a preview until the server is not too busy for it. */
async function preview(visitor: Visitor, path: string, fields: Record<string, string>) {
  for (;;) {
    const response = await visitor.post(path, fields);
    if (!response.body.includes('the preview takes too long')) return response;
  }
}
