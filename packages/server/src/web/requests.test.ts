import { expect, test } from 'vitest';
import { newTenant } from '../../test/servers/api.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { Visitor, startWeb, webUrl } from '../../test/browsers/web.ts';
import { allows } from '../people/roles.ts';
import { Refusal } from '../refusals.ts';
import { routes } from './routes.ts';
import type { Route } from './request/page-context.ts';

eachStore({ title: 'requests of pages', onBoth: true }, (open) => {
  test('a form passes only from this origin', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const person = await newPerson(store);
    const form = (headers: Record<string, string>) =>
      new Visitor(web, person).post('/me', { name: 'Ada', theme: 'dark' }, headers);
    const accepted = [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { origin: webUrl },
      { origin: 'http://localhost:80', host: 'localhost:80' },
    ];
    for (const headers of accepted) expect((await form(headers)).statusCode).toBe(303);
    const refused = [
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site', origin: webUrl },
      { origin: 'https://evil.example' },
      { origin: `${webUrl}:8485` },
      { origin: 'null' },
      {},
    ];
    for (const headers of refused) expect((await form(headers)).statusCode).toBe(403);
  });

  test(
    'no page is for someone who is not a member, and none says whether the workspace exists',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const web = await startWeb(store);
      const [own, foreign] = [await newTenant(store), await newTenant(store)];
      const person = await newPerson(store, { workspaceId: own.workspaceId, role: 'admin' });
      const visitor = new Visitor(web, person);
      expect((await visitor.get(`/w/${own.slug}/`)).statusCode).toBe(200);
      expect((await visitor.get('/')).headers.location).toBe(`/w/${own.slug}/`);
      for (const { method, path } of routes.filter((route) => route.path.startsWith('/w/'))) {
        const at = (slug: string) => path.replace(':slug', slug);
        const send = (slug: string) =>
          method === 'GET' ? visitor.get(at(slug)) : visitor.post(at(slug));
        const [foreignOne, unknown] = [await send(foreign.slug), await send('no-such-workspace')];
        expect([path, foreignOne.statusCode]).toEqual([path, 404]);
        expect(foreignOne.body).toBe(unknown.body);
      }
    },
  );

  test('no form works for a role below its own', { tags: ['once'] }, async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const { workspaceId, slug } = await newTenant(store);
    for (const role of ['viewer', 'editor'] as const) {
      const person = await newPerson(store, { workspaceId, role });
      const visitor = new Visitor(web, person);
      const higher = routes.filter(({ role: needed }) => !allows(role, needed));
      expect(higher.map(({ role: needed }) => needed)).toContain('admin');
      for (const { method, path } of higher) {
        const place = path.replace(':slug', slug);
        const response = await (method === 'GET' ? visitor.get(place) : visitor.post(place));
        expect([path, response.statusCode]).toEqual([path, 403]);
      }
    }
    for (const route of routes.filter(({ role }) => role !== 'anyone')) {
      const path = route.path.replace(':slug', slug);
      const stranger = new Visitor(web);
      const response = await (route.method === 'GET' ? stranger.get(path) : stranger.post(path));
      expect([path, response.statusCode]).toEqual([path, route.method === 'GET' ? 303 : 401]);
    }
  });

  test('a page says with 503 that the database is away', async () => {
    const { store } = await open();
    const person = await newPerson(store);
    const away = new Refusal('database_unreadable', { path: 'x' });
    const { access } = store;
    const web = await startWeb({
      ...store,
      mapFailure: () => new Refusal('database_busy', {}),
      get access(): typeof access {
        throw away;
      },
    });
    const response = await new Visitor(web, person).get('/me');
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.body).toContain('The database is away');
  });

  test('every page of figures says with 503 that reports cannot be read, and is not cached', async () => {
    const { store } = await open();
    const { workspaceId, slug } = await newTenant(store);
    const away = new Refusal('database_busy', {});
    const read = () => Promise.reject(away);
    const reports = { of: () => ({ read }) };
    const web = await startWeb({ ...store, mapFailure: () => away }, { reports });
    const person = await newPerson(store, { workspaceId, role: 'admin' });
    const pages = routes.filter(({ dependsOn }) => dependsOn !== undefined);
    expect(pages.length).toBeGreaterThan(10);
    for (const { path } of pages) {
      const target = path.replace(':slug', slug).replaceAll(/:(?:id|run|prompt)/g, person.id);
      const response = await new Visitor(web, person).get(target);
      expect([path, response.statusCode]).toEqual([path, 503]);
      expect(response.body).toContain('The database is away');
      expect(response.headers['cache-control']).toBe('no-store');
      expect(response.headers['etag']).toBeUndefined();
    }
  });

  test('after a session has ended each page leads to signing in and back, and each form says that nothing was changed', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const { workspaceId, slug } = await newTenant(store);
    const visitor = new Visitor(web, await newPerson(store, { workspaceId, role: 'admin' }));
    expect((await visitor.get(`/w/${slug}/`)).statusCode).toBe(200);
    await store.access.deleteFrom('sessions').execute();
    const seen = await Promise.all(
      routes
        .filter(({ path }) => path.startsWith('/w/'))
        .map(async ({ method, path }) => {
          const target = `${path.replace(':slug', slug)}?weeks=12&engine=chatgpt`;
          const isForm = method === 'POST';
          const { statusCode, headers, body } = await visitor[isForm ? 'post' : 'get'](target);
          const next = `/sign-in?next=${encodeURIComponent(target)}`;
          const isSaid = isForm ? body.includes('nothing was changed') : headers.location === next;
          return [method, path, statusCode === (isForm ? 401 : 303), isSaid];
        }),
    );
    expect(seen.length).toBeGreaterThan(30);
    expect(seen.filter(([, , isRefused, isSaid]) => !isRefused || !isSaid)).toEqual([]);
  });
});

test('forms for keys, members, links, receivers, messages, money and the removal of reports need an admin', () => {
  const forms = routes.filter(({ method, role }) => method === 'POST' && role === 'admin');
  expect(forms.map(({ path }) => path.replace('/w/:slug/', '')).toSorted()).toEqual([
    'reports/monthly',
    'reports/unpublish',
    'settings/collection',
    'settings/data/keep',
    'settings/keys',
    'settings/keys/connections',
    'settings/keys/replace',
    'settings/keys/revoke',
    'settings/links',
    'settings/links/logo',
    'settings/links/logo/remove',
    'settings/links/revoke',
    'settings/members',
    'settings/members/remove',
    'settings/members/role',
    'settings/members/withdraw',
    'settings/messages',
    'settings/messages/remove',
    'settings/messages/test',
    'settings/messages/time',
    'settings/receivers',
    'settings/receivers/end',
    'stances/judge',
    'stances/judge/run',
    'stances/judge/stop',
  ]);
});

const rolelessRoute: unknown = { method: 'GET', path: '/x', run: () => ({ redirect: '/' }) };

eachStore({ title: 'the table of routes', onBoth: false }, (open) => {
  test('a route without a role does not start', async () => {
    const { store } = await open();
    const planted = [rolelessRoute].filter((each): each is Route => each !== undefined);
    await expect(startWeb(store, {}, planted)).rejects.toThrow('GET /x has no role');
  });

  test('unknown paths, methods and parameters are pages for people and problems for programs', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const person = await newPerson(store);
    const visitor = new Visitor(web, person);
    for (const path of ['/nope', '/ME', '/me/', '//me', '/%6de/x', '/w', '/w/x/settings/keys/']) {
      expect([path, (await visitor.get(path)).statusCode]).toEqual([path, 404]);
    }
    const program = await visitor.get('/nope', { accept: '*/*' });
    expect(program.headers['content-type']).toContain('application/problem+json');
    expect((await visitor.post('/')).headers.allow).toBe('GET, HEAD');
    expect((await visitor.get('/sign-in?nxt=/me')).statusCode).toBe(400);
    expect((await visitor.post('/me', { nme: 'Ada' })).statusCode).toBe(400);
    const large = await visitor.post('/me', { name: 'a'.repeat(70_000) });
    expect(large.statusCode).toBe(413);
    expect(large.body).toContain('more than this page takes');
  });

  test('an address that cannot be decoded or is too long is a page, with an id and the policy', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const visitor = new Visitor(web, await newPerson(store));
    const long = 'a'.repeat(5000);
    for (const path of ['/w/%ff/', '/%', '/w/%00/', '/w/a%00/settings/keys', `/invite/${long}`]) {
      const { statusCode, headers, body } = await visitor.get(path);
      expect([path.slice(0, 30), statusCode]).toEqual([path.slice(0, 30), 404]);
      expect(headers['x-request-id']).toBeDefined();
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(body).toContain('<h1>');
    }
  });

  test('a form with a character that no database stores is refused, and it is no fault of the server', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const { workspaceId, slug } = await newTenant(store);
    const visitor = new Visitor(web, await newPerson(store, { workspaceId, role: 'admin' }));
    const settings = `/w/${slug}/settings`;
    const forms = [
      ['/sign-in', { email: 'a\0@example.com', password: 'x' }],
      [`${settings}/members/withdraw`, { invitation: 'a\0' }],
      [`${settings}/keys`, { name: 'a\0' }],
    ] as const;
    for (const [path, fields] of forms) {
      expect([path, (await visitor.post(path, fields)).statusCode]).toEqual([path, 400]);
    }
  });

  test('signing in leads back to a page of this server alone', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const visitor = new Visitor(web, await newPerson(store));
    const after = async (next: string) =>
      (await visitor.get(`/sign-in?next=${encodeURIComponent(next)}`)).headers.location;
    expect(await after('/w/acme/settings/keys?x=1')).toBe('/w/acme/settings/keys?x=1');
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/\t/evil',
      'x',
    ]) {
      expect(await after(next)).toBe('/');
    }
  });

  test('a page forbids inline code and framing; one opened by a secret link is not cached and sends no Referer', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    await newPerson(store);
    const page = await new Visitor(web).get('/sign-in');
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(page.body).toContain('name="description"');
    const link = await new Visitor(web).get('/invite/abc');
    expect(link.statusCode).toBe(404);
    expect(link.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
  });

  test('plain http from another machine is warned of, unless the setting allows it', async () => {
    const { store } = await open();
    await newPerson(store);
    const plain = { publicUrl: () => 'http://192.0.2.9:8484' };
    const strict = new Visitor(await startWeb(store, plain));
    const warning = '--plain-http';
    expect((await strict.get('/sign-in', { host: '192.0.2.9:8484' })).body).toContain(warning);
    expect((await strict.get('/sign-in', { host: '127.0.0.1:8484' })).body).not.toContain(warning);
    expect((await strict.get('/sign-in', { host: 'localhost:8484' })).body).not.toContain(warning);
    const lax = new Visitor(await startWeb(store, { ...plain, mayUsePlainHttp: true }));
    expect((await lax.get('/sign-in', { host: '192.0.2.9:8484' })).body).not.toContain(warning);
  });
});
