import { expect, test } from 'vitest';
import { newPerson } from '../../../../test/browsers/people.ts';
import { hiddenField, startWeb, Visitor } from '../../../../test/browsers/web.ts';
import { newTenant, nowMs } from '../../../../test/servers/api.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { listReceivers } from '../../../access/receivers.ts';

async function aVisitor(open: Open) {
  const { store } = await open();
  const web = await startWeb(store);
  const { workspaceId, slug } = await newTenant(store);
  const visitor = new Visitor(web, await newPerson(store, { workspaceId, role: 'admin' }));
  await visitor.get('/me');
  const path = `/w/${slug}/settings/receivers`;
  const receivers = () => listReceivers(store.access, { workspaceId });
  return { store, web, visitor, workspaceId, slug, path, receivers };
}

eachStore('the page of receivers', (open) => {
  test('a new address is shown once, with what to do at the host', async () => {
    const { visitor, path, receivers, slug } = await aVisitor(open);
    const form = hiddenField(await visitor.get(path), 'form');
    const sent = { form, host: 'vercel', site: '' };
    const added = await visitor.post(path, sent);
    const [, token = ''] = /\/ingest\/([\w-]{43})</.exec(added.body) ?? [];
    expect(token).not.toBe('');
    expect(added.body).toContain('Its signature secret:');
    expect(added.headers['cache-control']).toContain('no-store');
    const again = await visitor.post(path, sent);
    expect(again.statusCode).toBe(409);
    const later = await visitor.get(path);
    expect([again.body, later.body].filter((body) => body.includes(token))).toEqual([]);
    expect(await receivers()).toMatchObject([{ host: 'vercel', site: null, ended_at: null }]);
    const history = await visitor.get(`/w/${slug}/settings/history`);
    expect(history.body).toMatch(/added a receiver of log lines:\s*<strong>Vercel/);
  });

  test('a receiver that is ended stays on the page and takes no lines', async () => {
    const { visitor, path, receivers } = await aVisitor(open);
    const form = hiddenField(await visitor.get(path), 'form');
    await visitor.post(path, { form, host: 'other', site: 'www.acme.com' });
    const [receiver] = await receivers();
    await visitor.post(`${path}/end`, { receiver: receiver?.id ?? '' });
    expect(await receivers()).toMatchObject([
      { site: 'www.acme.com', ended_at: expect.any(String) },
    ]);
    expect((await visitor.get(path)).body).toContain('ended 20 Nov');
  });

  test('a site that is none is refused with the form', async () => {
    const { visitor, path, receivers } = await aVisitor(open);
    const form = hiddenField(await visitor.get(path), 'form');
    const refused = await visitor.post(path, { form, host: 'other', site: 'not a site' });
    expect([refused.statusCode, await receivers()]).toEqual([400, []]);
    expect(refused.body).toContain('such as www.acme.com');
  });

  test('a receiver of another workspace is not found', async () => {
    const { store, web, visitor, path, receivers } = await aVisitor(open);
    const form = hiddenField(await visitor.get(path), 'form');
    await visitor.post(path, { form, host: 'netlify', site: '' });
    const [receiver] = await receivers();
    const other = await newTenant(store);
    const stranger = await newPerson(store, { workspaceId: other.workspaceId, role: 'admin' });
    const theirs = `/w/${other.slug}/settings/receivers/end`;
    const sent = { receiver: receiver?.id ?? '' };
    expect((await new Visitor(web, stranger).post(theirs, sent)).statusCode).toBe(404);
    expect(await receivers()).toMatchObject([{ ended_at: null }]);
  });

  test('the page of crawlers says how lines arrive, when the last came, and what was skipped and why', async () => {
    const { store, visitor, path, slug, receivers } = await aVisitor(open);
    const form = hiddenField(await visitor.get(path), 'form');
    await visitor.post(path, { form, host: 'netlify', site: '' });
    const received_at = new Date(nowMs - 3_600_000).toISOString();
    const skips = JSON.stringify({ unknown_format: 3, no_user_agent: 1 });
    await store.access
      .updateTable('receivers')
      .set({ received_at, lines: 1204, hits: 17, skipped: 4, skipped_at: received_at, skips })
      .where('id', '=', (await receivers())[0]?.id ?? '')
      .execute();
    const page = (await visitor.get(`/w/${slug}/crawlers`)).body
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ');
    expect(page).toContain('How log lines arrive');
    expect(page).toMatch(/Netlify as the lines say …\S+ 1 hour ago 1,204 17 4/);
    expect(page).toContain(
      'last on 20 November 2026: 3 in no known format, 1 without a user agent',
    );
    const start = await visitor.get(`/w/${slug}/start`);
    expect(start.body).toContain(path);
  });
});
