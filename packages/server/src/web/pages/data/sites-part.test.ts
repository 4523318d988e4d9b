// @module-tag slow
import { expect, test } from 'vitest';
import { newTenant } from '../../../../test/servers/api.ts';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { newId } from '../../../values/uuid.ts';

eachStore('own sites on the page', (open) => {
  test(
    'an editor adds and removes an own site, and a viewer only reads the list',
    { tags: ['once'] },
    async () => {
      const place = await open();
      const { store } = place;
      const clock = Date.now;
      const web = await startWeb(store, { runner: aRunner(place), clock });
      const { workspaceId, slug } = await newTenant(store);
      const someone = async (role: 'editor' | 'viewer') =>
        new Visitor(web, await newPerson(store, { workspaceId, role, clock }));
      const visitor = await someone('editor');
      const path = `/w/${slug}/settings/data`;
      const change = async (action: string, domain: string) => {
        const form = newId(Date.now);
        const { headers } = await visitor.post(`${path}/sites/${action}`, { form, domain });
        expect(headers.location).toBe(path);
        expect((await reached(store, { workspaceId, id: form })).state).toBe('done');
        return (await visitor.get(path)).body;
      };
      for (const _ of ['first', 'again'])
        expect(await change('add', 'https://www.Acme.dev/')).toContain(
          'aria-label="Remove acme.dev"',
        );
      const viewer = await someone('viewer');
      const read = await viewer.get(path);
      expect(read.body).toContain('acme.dev');
      expect(read.body).not.toContain('Remove acme.dev');
      const typed = { form: newId(Date.now), domain: 'other.dev' };
      for (const action of ['add', 'remove'])
        expect((await viewer.post(`${path}/sites/${action}`, typed)).statusCode).toBe(403);
      const wrong = await visitor.post(`${path}/sites/add`, { ...typed, domain: 'no host' });
      expect(wrong.statusCode).toBe(400);
      for (const _ of ['first', 'again'])
        expect(await change('remove', 'acme.dev')).not.toContain('Remove acme.dev"');
      const { body } = await visitor.get(path.replace(/data$/, 'history'));
      expect(body.match(/(added|removed) an own site/g)).toHaveLength(2);
    },
  );
});
