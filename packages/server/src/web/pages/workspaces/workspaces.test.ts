import { expect, test } from 'vitest';
import { newTenant } from '../../../../test/servers/api.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { aPrompt, writeRows } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { switchPrompts } from '../../../collect/prompts.ts';
import { readPromptsToAsk } from '../../../collect/ledger/prompts-to-ask.ts';
import type { Store } from '../../../storage/store.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import { findWorkspace, findWorkspaceById } from '../../../workspaces/workspaces.ts';

const acme = { brand: 'Ácme Éins', domain: 'https://www.acme.com/', locale: 'de-de', slug: '' };

eachStore({ title: 'new workspaces', onBoth: true }, (open) => {
  test('an operator makes a workspace in the browser, and lands on its first steps', async () => {
    const { store } = await open();
    const visitor = await anOperator(store);
    expect((await visitor.get('/')).headers.location).toBe('/workspaces/new');
    const made = await visitor.post('/workspaces/new', acme);
    expect(made.headers.location).toBe('/w/acme-eins/start');
    const workspace = await findWorkspace(store.reader, 'acme-eins');
    expect(workspace).toMatchObject({ name: 'Ácme Éins', locale: 'de-DE', archived_at: null });
    const [brand] = await listSubjects(store.reader, workspace.id);
    expect(brand).toMatchObject({ name: 'Ácme Éins', domains: ['acme.com'] });
    expect((await visitor.get('/w/acme-eins/')).statusCode).toBe(200);
    expect((await visitor.get('/w/acme-eins/start/prompts')).body).toContain('value="de-DE"');
    const again = await visitor.post('/workspaces/new', acme);
    expect(again.headers.location).toBe('/w/acme-eins-2/start');
    const list = (await visitor.get('/')).body;
    expect(list).toContain('/w/acme-eins-2/');
    expect(list).toContain('Add a workspace');
  });

  test('a workspace is renamed and archived, and none of its prompts is asked until it is back', async () => {
    const { store } = await open();
    const visitor = await anOperator(store);
    const { workspaceId, slug } = await newTenant(store);
    const prompt = aPrompt();
    await writeRows(store, workspaceId, { prompts: [prompt] });
    await switchPrompts(store, workspaceId, { ids: [prompt.id], isOn: true });
    const asked = async () => (await readPromptsToAsk(store, workspaceId)).length;
    expect(await asked()).toBe(1);
    const data = `/w/${slug}/settings/data`;
    expect((await visitor.post(`${data}/archive`, { archive: 'yes' })).headers.location).toBe(data);
    expect(await asked()).toBe(0);
    expect((await visitor.get('/')).body).toContain('1 archived');
    expect((await visitor.get(data)).body).toContain('Bring it back');
    await visitor.post(`${data}/archive`, { archive: 'no' });
    expect(await asked()).toBe(1);
    const address = `${slug}-x`;
    const renamed = await visitor.post(`${data}/rename`, { name: 'New', address, market: '' });
    expect(renamed.headers.location).toBe(`/w/${address}/settings/data`);
    expect((await visitor.get(data)).statusCode).toBe(404);
    expect(await findWorkspaceById(store.reader, workspaceId)).toMatchObject({ name: 'New' });
  });
});

eachStore('workspaces', (open) => {
  test('a workspace with an invalid domain is refused', async () => {
    const { store } = await open();
    const visitor = await anOperator(store);
    const fields = { ...acme, domain: 'not a domain' };
    const { statusCode, body } = await visitor.post('/workspaces/new', fields);
    expect([statusCode, body]).toEqual([400, expect.stringContaining('id="domain-fault"')]);
    expect((await visitor.get('/')).headers.location).toBe('/workspaces/new');
  });

  test('a person who is no operator makes no workspace, and sees whom to ask', async () => {
    const { store } = await open();
    const { email } = await newPerson(store, { isOperator: true });
    const visitor = await aVisitor(store, {});
    expect((await visitor.get('/')).body).toContain(email);
    expect((await visitor.get('/workspaces/new')).statusCode).toBe(403);
    expect((await visitor.post('/workspaces/new', acme)).statusCode).toBe(403);
    const { workspaceId, slug } = await newTenant(store);
    const admin = await aVisitor(store, { workspaceId, role: 'admin' });
    const data = `/w/${slug}/settings/data`;
    expect((await admin.get(data)).body).not.toContain('Archive it');
    for (const form of ['rename', 'archive'])
      expect((await admin.post(`${data}/${form}`, {})).statusCode).toBe(403);
  });
});

async function aVisitor(store: Store, person: Parameters<typeof newPerson>[1]): Promise<Visitor> {
  return new Visitor(await startWeb(store), await newPerson(store, person));
}

function anOperator(store: Store): Promise<Visitor> {
  return aVisitor(store, { isOperator: true });
}
