// @module-tag slow
import { expect, test } from 'vitest';
import { newTenant } from '../../../../test/servers/api.ts';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import { readPageTexts } from '../../../answers/page-texts.ts';

const tail = 'Answers are made by Globex. Check them before you rely on them.';
const rows = ['Take it.', 'It depends.', 'Mostly.', 'Neither of both.'].map((answer, index) => ({
  prompt: 'Which?',
  engine: 'copilot',
  run_at: `2025-11-18T0${index}:00:00Z`,
  answer: `${answer}\n\n${tail}`,
}));

eachStore('texts around answers', (open) => {
  test(
    'a text that answers share is named after the upload, taken off the count, and counted again',
    { tags: ['once'] },
    async () => {
      const place = await open();
      const { store } = place;
      const clock = Date.now;
      const web = await startWeb(store, { runner: aRunner(place), clock });
      const { workspaceId, slug } = await newTenant(store);
      const path = `/w/${slug}/settings/data`;
      const visitor = new Visitor(
        web,
        await newPerson(store, { workspaceId, role: 'editor', clock }),
      );
      const id = hiddenField(await visitor.get(path), 'form');
      const content = rows.map((row) => JSON.stringify(row)).join('\n');
      const fields = { form: id, rows: 'answers', format: '' };
      await visitor.upload(`${path}/import`, fields, { name: 'a.ndjson', content });
      await reached(store, { workspaceId, id });
      const page = (await visitor.get(path)).body;
      expect(page).toContain('4 of 4 different answers of Copilot end with the same text');
      expect(page).toContain(tail);
      const send = async (body: string, changes: Record<string, string> = {}) => {
        const form = body.slice(body.indexOf('settings/data/texts"'));
        const field = (name: string) =>
          new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
        const sent = { form: field('form'), engine: field('engine'), place: field('place') };
        const { headers } = await visitor.post(`${path}/texts`, {
          ...sent,
          text: field('text'),
          ...changes,
        });
        expect(headers.location).toBe(`/w/${slug}/settings/subjects`);
        await reached(store, { workspaceId, id: sent.form });
      };
      const texts = async () =>
        (await readPageTexts(store.reader, workspaceId)).map((each) => each.text);
      await send(page, { text: 'another text' });
      expect(await texts()).toEqual([]);
      await send((await visitor.get(path)).body);
      expect(await texts()).toEqual([tail]);
      const stripped = (await visitor.get(path)).body;
      expect(stripped).toContain('Text that does not count');
      await send(stripped.slice(stripped.indexOf('Text that does not count')));
      expect(await texts()).toEqual([]);
      const viewer = new Visitor(web, await newPerson(store, { workspaceId, clock }));
      expect((await viewer.post(`${path}/texts`, {})).statusCode).toBe(403);
      expect((await viewer.get(path)).body).not.toContain('Do not count this text');
    },
  );
});
