import { expect, test } from 'vitest';
import { newTenant, nowMs } from '../../../../test/servers/api.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { aHit, writeRows } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import { listReportLinks } from '../../../people/report-links.ts';

const dayMs = 24 * 3_600_000;

eachStore('report links', (open) => {
  test('report links show their page to someone who is signed out, without navigation or a way into the workspace', async () => {
    const { make, stranger, slug } = await place(open);
    const shared = await stranger.get(await make({ view: 'by=refused' }));
    expect(shared.statusCode).toBe(200);
    expect(shared.body).toContain('/secret-page');
    expect(shared.body).not.toMatch(/<nav|<form|Sign out|Settings/);
    expect(shared.body).not.toContain(`/w/${slug}`);
    expect(shared.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(shared.headers.etag).toBeUndefined();
  });

  test('a report link fixes the period and filters, and ignores the query of its address', async () => {
    const { make, stranger } = await place(open);
    const link = await make({ view: 'by=page&weeks=12&host=www.acme.com' });
    const plain = (await stranger.get(link)).body;
    expect(plain).toContain('29 August to 20 November 2026');
    expect(plain).not.toContain('/elsewhere');
    for (const query of ['?weeks=26', '?host=', '?format=csv', '?nothing=1', '?by=request&by=x']) {
      expect((await stranger.get(link + query)).body).toBe(plain);
    }
  });

  test('report links show no evidence unless the box was ticked, neither on the page nor in the file', async () => {
    const { make, stranger } = await place(open);
    const without = await make({ view: 'by=request' });
    const ticked = await make({ view: 'by=request', texts: 'on' });
    for (const end of ['', '/csv']) {
      const bare = (await stranger.get(without + end)).body;
      expect(bare).toContain('/secret-page');
      expect(bare).not.toMatch(/no_list|ranges update/);
      expect((await stranger.get(ticked + end)).body).toContain('ranges update');
    }
    const file = await stranger.get(`${without}/csv`);
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.headers['cache-control']).toBe('no-store');
  });

  test('unknown, ended and revoked report links get the same response, in bytes and headers', async () => {
    const { make, stranger, admin, links, setNow, store, workspaceId } = await place(open);
    const revoked = await make();
    const [one] = await listReportLinks(store.access, workspaceId);
    expect((await admin.post(`${links}/revoke`, { link: one?.id ?? '' })).statusCode).toBe(303);
    expect((await admin.post(`${links}/revoke`, { link: one?.id ?? '' })).statusCode).toBe(303);
    const ended = await make({ days: '1' });
    expect((await stranger.get(ended)).statusCode).toBe(200);
    setNow(nowMs + dayMs);
    const unknown = `/s/${'x'.repeat(43)}`;
    const responses = await Promise.all(
      [revoked, ended, unknown, `${unknown}/csv`].map((path) => stranger.get(path)),
    );
    const seen = responses.map(({ statusCode, headers, body }) => {
      const { date: _date, 'x-request-id': _id, ...others } = headers;
      return JSON.stringify([statusCode, others, body]);
    });
    expect(new Set(seen).size).toBe(1);
    expect(responses[0]?.statusCode).toBe(404);
    expect(responses[0]?.headers['x-robots-tag']).toBe('noindex, nofollow');
  });

  test('report links are made by an admin, shown once, listed with who, page, end and count, and revoked', async () => {
    const { make, stranger, admin, viewer, links, slug } = await place(open);
    const link = await make({ name: 'the <b>board' });
    await stranger.get(link);
    await stranger.get(`${link}/csv`);
    const page = (await admin.get(links)).body;
    expect(page).not.toContain(link);
    expect(words(page)).toMatch(
      /the &lt;b&gt;board Crawlers The last 4 weeks, whenever it is opened\. just now by Ada Example 20 December 2026 2 times just now/,
    );
    const form = { form: '', page: 'crawlers', view: '', days: '30', name: 'x' };
    expect((await viewer.post(links, form)).statusCode).toBe(403);
    expect((await viewer.post(`${links}/revoke`, { link: '' })).statusCode).toBe(403);
    expect((await viewer.get(links)).body).not.toMatch(/name="days"|Revoke/);
    const history = words((await admin.get(`/w/${slug}/settings/history`)).body);
    expect(history).toContain('made a report link the &lt;b&gt;board (crawlers)');
  });

  test('a link of more days, another page or a file is refused, and none is made', async () => {
    const { admin, links, store, workspaceId } = await place(open);
    const form = hiddenField(await admin.get(links), 'form');
    const fields = { form, name: 'the board', page: 'crawlers', view: '', days: '366' };
    for (const wrong of [{ days: '367' }, { days: '' }, { page: 'keys' }, { view: 'format=csv' }]) {
      const refused = await admin.post(links, { ...fields, ...wrong });
      expect(refused.statusCode, JSON.stringify(wrong)).toBe(400);
    }
    expect(await listReportLinks(store.access, workspaceId)).toEqual([]);
    expect((await admin.post(links, fields)).body).toMatch(/\/s\/[\w-]{43}/);
  });

  test("another workspace's report link is not found, and opens as before", async () => {
    const { make, stranger, store, workspaceId, web } = await place(open);
    const link = await make();
    const other = await newTenant(store);
    const member = { workspaceId: other.workspaceId, role: 'admin' } as const;
    const foreign = new Visitor(web, await newPerson(store, member));
    const [one] = await listReportLinks(store.access, workspaceId);
    const path = `/w/${other.slug}/settings/links/revoke`;
    expect((await foreign.post(path, { link: one?.id ?? '' })).statusCode).toBe(404);
    expect((await stranger.get(link)).statusCode).toBe(200);
  });

  test('the links of a removed member stay, and are offered for revocation', async () => {
    const { make, stranger, store, workspaceId, slug, adminId, web } = await place(open);
    const link = await make();
    const other = new Visitor(web, await newPerson(store, { workspaceId, role: 'admin' }));
    await other.post(`/w/${slug}/settings/members/remove`, { user: adminId });
    const page = await other.get(`/w/${slug}/settings/members?removed=${adminId}`);
    expect(words(page.body)).toContain('What they made still works: 1 report link');
    expect((await stranger.get(link)).statusCode).toBe(200);
    expect(words((await other.get(`/w/${slug}/settings/links`)).body)).toContain('not a member');
    await other.post(`/w/${slug}/settings/links/revoke`, { link: hiddenField(page, 'link') });
    expect((await stranger.get(link)).statusCode).toBe(404);
  });

  test(
    'report links are limited per network, before anything is looked up',
    { tags: ['once'] },
    async () => {
      const { make, web } = await place(open);
      const link = await make();
      const flood = new Visitor(web, { address: '198.51.100.9' });
      const statuses: number[] = [];
      for (let turn = 0; turn < 121; turn += 1) statuses.push((await flood.get(link)).statusCode);
      expect(statuses.slice(0, 120)).toEqual(Array.from({ length: 120 }, () => 200));
      const refused = await flood.get(`/s/${'y'.repeat(43)}`);
      expect([statuses[120], refused.statusCode]).toEqual([429, 429]);
      expect(refused.headers['retry-after']).toBeDefined();
      expect((await new Visitor(web).get(link)).statusCode).toBe(200);
    },
  );

  test('the tokens of report links are in no log', async () => {
    const { make, stranger, web } = await place(open);
    const link = await make();
    await stranger.get(link);
    await stranger.get(`${link}/csv`);
    expect(web.text()).toContain('/s/[redacted]');
    expect(web.text()).not.toContain(link.slice(3, 23));
  });
});

function words(page: string): string {
  return page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

async function place(open: Open) {
  const { store } = await open();
  const { workspaceId, slug } = await newTenant(store);
  const hit = { host: 'www.acme.com', hit_at: '2026-11-18T12:34:56.000Z', status: 403 };
  const evidence = { verification: 'unverified' as const, evidence: '{"reason":"no_list"}' };
  await writeRows(store, workspaceId, {
    hits: [
      aHit({ ...hit, ...evidence, path: '/secret-page' }),
      aHit({ ...hit, ...evidence, host: 'elsewhere.com', path: '/elsewhere' }),
    ],
  });
  let atMs = nowMs;
  const web = await startWeb(store, { clock: () => atMs });
  const person = await newPerson(store, { workspaceId, role: 'admin' });
  const admin = new Visitor(web, person);
  const links = `/w/${slug}/settings/links`;
  const make = async (fields: Readonly<Record<string, string>> = {}): Promise<string> => {
    const form = hiddenField(await admin.get(links), 'form');
    const usual = { form, name: 'the board', page: 'crawlers', view: '', days: '30' };
    const { body } = await admin.post(links, { ...usual, ...fields });
    return /\/s\/[\w-]{43}/.exec(body)?.[0] ?? '';
  };
  return {
    store,
    web,
    workspaceId,
    slug,
    links,
    admin,
    adminId: person.id,
    make,
    viewer: new Visitor(web, await newPerson(store, { workspaceId })),
    stranger: new Visitor(web),
    setNow: (ms: number) => {
      atMs = ms;
    },
  };
}
