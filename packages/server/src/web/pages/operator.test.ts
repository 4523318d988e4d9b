import { expect, test } from 'vitest';
import { newPerson } from '../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../test/browsers/web.ts';
import { newTenant } from '../../../test/servers/api.ts';
import { aRun, writeRows } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { version } from '../../version.ts';

eachStore('the page of operators', (open) => {
  test('an operator sees the version, the database and each workspace, and nobody else does', async () => {
    const { store } = await open();
    const { workspaceId, slug } = await newTenant(store);
    await writeRows(store, workspaceId, { runs: [aRun()] });
    const web = await startWeb(store);
    const visitor = new Visitor(web, await newPerson(store, { isOperator: true }));
    const { statusCode, body } = await visitor.get('/operator');
    expect(statusCode).toBe(200);
    expect(body).toContain(version);
    expect(body).toMatch(/Embedded, \d+\.\d MB/);
    expect(body).toContain(`href="/w/${slug}"`);
    expect(body).toContain('never fetched');
    const other = new Visitor(web, await newPerson(store, { workspaceId, role: 'admin' }));
    expect((await other.get('/operator')).statusCode).toBe(403);
  });
});
