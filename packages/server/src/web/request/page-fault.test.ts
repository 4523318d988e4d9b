import { expect, test } from 'vitest';
import { newPerson } from '../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../test/browsers/web.ts';
import { newTenant } from '../../../test/servers/api.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { newId } from '../../values/uuid.ts';

eachStore('forms about something that is not in the workspace', (open) => {
  test('each form names what is not in the workspace in the same words', async () => {
    const { store } = await open();
    const { slug, workspaceId } = await newTenant(store);
    const visitor = new Visitor(
      await startWeb(store),
      await newPerson(store, { workspaceId, role: 'admin' }),
    );
    const id = newId(Date.now);
    for (const [thing, form, fields] of [
      ['key', 'keys/revoke', { key: id }],
      ['report link', 'links/revoke', { link: id }],
      ['person', 'members/remove', { user: id }],
      ['import', 'data/revert', { form: id, import: '1' }],
    ] as const) {
      const response = await visitor.post(`/w/${slug}/settings/${form}`, fields);
      expect([thing, response.statusCode]).toEqual([thing, 404]);
      expect(response.body).toContain(`This ${thing} is not in this workspace`);
    }
    const subject = await visitor.get(`/w/${slug}/settings/subjects/${id}`);
    expect(subject.statusCode).toBe(404);
    expect(subject.body).toContain('This competitor is not in this workspace');
  });
});
