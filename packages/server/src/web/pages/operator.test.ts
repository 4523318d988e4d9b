import { expect, test } from 'vitest';
import { newPerson } from '../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../test/browsers/web.ts';
import { newTenant, nowMs } from '../../../test/servers/api.ts';
import { withFailingReads } from '../../../test/stores/failing-store.ts';
import { aRun, writeReading, writeRows } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { RecentFailure } from '../../api/service/failure-log.ts';
import { version } from '../../version.ts';

eachStore('the page of operators', (open, dialect) => {
  test('an operator sees which requests failed, what runs next, and when the disk is full', async () => {
    const { store } = await open();
    const { workspaceId } = await newTenant(store);
    const due_at = new Date(nowMs + 60_000).toISOString();
    await writeReading(store, workspaceId, { due_at, state: 'planned' });
    const failures: RecentFailure[] = [];
    const growth = async () => ({ bytesPerDay: 2_500_000, fullInDays: 40 });
    const session = await newPerson(store, { isOperator: true });
    const operator = new Visitor(await startWeb(store, { failures, growth }), session);
    const before = (await operator.get('/operator')).body;
    expect(before).toContain('None since this server started.');
    expect(before).toContain('2.5 MB a day: the disk is full in 40 days');
    expect(before).toContain('2026-11-20 12:35 UTC');
    const broken = await startWeb(withFailingReads(store, new Error('a <broken> read')), {
      failures,
    });
    const { statusCode, headers } = await new Visitor(broken, session).get('/');
    expect(statusCode).toBe(500);
    const after = (await operator.get('/operator')).body;
    expect(after).toContain(`<code>${String(headers['x-request-id'])}</code>`);
    expect(after).toContain('a &lt;broken&gt; read');
  });

  test('an operator sees the version, the database and each workspace, and nobody else does', async () => {
    const { store } = await open();
    const { workspaceId, slug } = await newTenant(store);
    await writeRows(store, workspaceId, { runs: [aRun()] });
    const web = await startWeb(store);
    const visitor = new Visitor(web, await newPerson(store, { isOperator: true }));
    const { statusCode, body } = await visitor.get('/operator');
    expect(statusCode).toBe(200);
    expect(body).toContain(version);
    expect(body).toMatch(dialect === 'sqlite' ? /Embedded, \d+\.\d MB/ : /PostgreSQL, \d+\.\d MB/);
    expect(body).toContain(`href="/w/${slug}"`);
    expect(body).toContain('never fetched');
    const other = new Visitor(web, await newPerson(store, { workspaceId, role: 'admin' }));
    expect((await other.get('/operator')).statusCode).toBe(403);
  });
});
