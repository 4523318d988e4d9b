import { expect, test } from 'vitest';
import { call, newTenant, nowMs, startApi } from '../../../test/servers/api.ts';
import { newPerson } from '../../../test/browsers/people.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { hiddenField, startWeb, Visitor } from '../../../test/browsers/web.ts';
import { listKeys } from '../../access/keys.ts';
import { listMembers, roleIn } from '../../people/members.ts';
import { insertUser } from '../../people/users.ts';
import { newId } from '../../values/uuid.ts';

const keyForm = /overheard_[0-9A-Za-z]{38}/;

eachStore({ title: 'API keys', onBoth: true }, (open) => {
  test('a key is shown once, in the answer to the form, and reads the API', async () => {
    const { store } = await open();
    const { visitor, path, workspaceId } = await anAdmin(store);
    const form = hiddenField(await visitor.get(path), 'form');
    const made = await visitor.post(path, { form, name: 'ware<b>house', expires: '90d' });
    expect(made.statusCode).toBe(200);
    expect(made.headers['cache-control']).toBe('no-store');
    expect(made.headers.location).toBeUndefined();
    expect(JSON.stringify(made.headers)).not.toMatch(keyForm);
    const [key = ''] = keyForm.exec(made.body) ?? [];
    const api = await startApi(store);
    expect((await call(api, '/api/v1/scores', { key })).statusCode).toBe(200);
    expect((await visitor.get(path)).body).not.toMatch(keyForm);
    expect((await visitor.get(path)).body).toContain('ware&lt;b&gt;house');
    expect((await visitor.get(path)).body).toMatch(/1\s+of 300/);

    const again = await visitor.post(path, { form, name: 'ware<b>house', expires: '90d' });
    expect(again.statusCode).toBe(409);
    expect(again.body).not.toMatch(keyForm);
    for (const expires of ['10y', '']) {
      const endless = { form: newId(() => nowMs), name: 'endless', expires };
      expect((await visitor.post(path, endless)).statusCode, expires).toBe(400);
    }
    expect(await listKeys(store, { workspaceId })).toHaveLength(2);
  });

  test('a replaced key works as long as the form says, and is replaced once', async () => {
    const { store } = await open();
    const { visitor, path, keyId, key, workspaceId } = await anAdmin(store);
    const replace = (overlap: string, form: string, id = keyId) =>
      visitor.post(`${path}/replace`, { key: id, overlap, form });
    const [one, two] = [newId(() => nowMs), newId(() => nowMs)];
    const made = await replace('1d', one);
    const [fresh = ''] = keyForm.exec(made.body) ?? [];
    expect((await replace('1d', two)).statusCode).toBe(409);
    const at = async (ms: number) => {
      const api = await startApi(store, { clock: () => nowMs + ms });
      const read = async (each: string) =>
        (await call(api, '/api/v1/scores', { key: each })).statusCode;
      return [await read(key), await read(fresh)];
    };
    expect(await at(0)).toEqual([200, 200]);
    expect(await at(24 * 3_600_000)).toEqual([401, 200]);
    const last = await replace('0', two, one);
    const keys = new Map((await listKeys(store, { workspaceId })).map((each) => [each.id, each]));
    expect(keys.get(keyId)).toMatchObject({ replaced_by: one, revoked_at: null });
    expect(keys.get(one)).toMatchObject({ replaced_by: two, revoked_at: expect.any(String) });
    const [latest = ''] = keyForm.exec(last.body) ?? [];
    const api = await startApi(store);
    expect((await call(api, '/api/v1/scores', { key: fresh })).statusCode).toBe(401);
    expect((await call(api, '/api/v1/scores', { key: latest })).statusCode).toBe(200);
  });

  test("a revoked key is refused at once, by whom is listed, and another workspace's is not found", async () => {
    const { store } = await open();
    const { visitor, path, key, keyId } = await anAdmin(store);
    const other = await newTenant(store);
    expect((await visitor.post(`${path}/revoke`, { key: other.keyId })).statusCode).toBe(404);
    expect((await visitor.post(`${path}/revoke`, { key: keyId })).statusCode).toBe(303);
    expect((await visitor.post(`${path}/revoke`, { key: keyId })).statusCode).toBe(303);
    const api = await startApi(store);
    expect((await call(api, '/api/v1/scores', { key })).statusCode).toBe(401);
    expect((await call(api, '/api/v1/scores', { key: other.key })).statusCode).toBe(200);
    expect((await visitor.get(path)).body).toMatch(/revoked 20 November 2026 by Ada Example/);
  });
});

eachStore({ title: 'members', onBoth: true }, (open) => {
  test('an invitation makes an account of its address, once, and opening it consumes nothing', async () => {
    const { store } = await open();
    const { web, visitor, members, workspaceId, slug } = await anAdmin(store);
    const made = await invite(visitor, members, { email: 'Ben@example.com', role: 'editor' });
    const [, path = ''] = /(\/invite\/[\w-]{43})/.exec(made.body) ?? [];
    expect((await visitor.get(members)).body).not.toContain(path);
    const ben = new Visitor(web);
    for (let look = 0; look < 3; look += 1) expect((await ben.get(path)).statusCode).toBe(200);
    const words = { name: 'Ben', email: 'ben@example.com', password: 'correct horse battery' };
    const eve = { ...words, email: 'eve@example.com' };
    expect((await new Visitor(web).post(path, eve)).statusCode).toBe(404);
    expect((await ben.post(path, words)).headers.location).toBe(`/w/${slug}/`);
    expect((await ben.get(`/w/${slug}/`)).statusCode).toBe(200);
    expect((await new Visitor(web).post(path, words)).statusCode).toBe(404);
    expect(await listMembers(store.access, workspaceId)).toHaveLength(2);
  });

  test('an invitation that is sent twice is made once', async () => {
    const { store } = await open();
    const { visitor, members } = await anAdmin(store);
    const form = hiddenField(await visitor.get(members), 'form');
    const fields = { form, email: '', role: 'admin' };
    const sent = await Promise.all([visitor.post(members, fields), visitor.post(members, fields)]);
    expect(sent.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['200', '409']);
    for (const { headers } of sent) expect(headers['cache-control']).toBe('no-store');
    expect((await visitor.get(members)).body.match(/name="invitation"/g)).toHaveLength(1);
  });

  test('someone with an account joins with it, and gets another token as the rights rise', async () => {
    const { store } = await open();
    const { web, visitor, members, workspaceId, slug } = await anAdmin(store);
    const made = await invite(visitor, members, { role: 'viewer' });
    const [, path = ''] = /(\/invite\/[\w-]{43})/.exec(made.body) ?? [];
    const person = await newPerson(store);
    const ben = new Visitor(web, person);
    expect((await ben.get(`/w/${slug}/`)).statusCode).toBe(404);
    expect((await ben.post(path)).headers.location).toBe(`/w/${slug}/`);
    expect(ben.cookies.get('__Host-overheard-443')).not.toBe(person.session);
    expect((await ben.get(`/w/${slug}/`)).statusCode).toBe(200);
    expect(await roleIn(store.access, { workspaceId, userId: person.id })).toBe('viewer');
  });

  test('an address with an account has to sign in first', async () => {
    const { store } = await open();
    const { web, visitor, members } = await anAdmin(store);
    await insertUser(store.access, { email: 'ben@example.com', name: 'Ben', clock: () => nowMs });
    const made = await invite(visitor, members, { role: 'viewer' });
    const [, path = ''] = /(\/invite\/[\w-]{43})/.exec(made.body) ?? [];
    const words = { name: 'Ben', email: 'BEN@example.com', password: 'correct horse battery' };
    const response = await new Visitor(web).post(path, words);
    expect(response.statusCode).toBe(400);
    expect(response.body).toContain('sign in with it first');
  });

  test('a raised role gives the next page another token, and a removed member sees nothing', async () => {
    const { store } = await open();
    const { web, visitor, members, workspaceId, slug } = await anAdmin(store);
    const person = await newPerson(store, { workspaceId, role: 'viewer' });
    const ben = new Visitor(web, person);
    await ben.get('/me');
    const before = ben.cookies.get('__Host-overheard-443');
    await visitor.post(`${members}/role`, { user: person.id, role: 'admin' });
    const keys = `/w/${slug}/settings/keys`;
    const form = hiddenField(await ben.get(keys), 'form');
    expect(ben.cookies.get('__Host-overheard-443')).not.toBe(before);
    await ben.post(keys, { form, name: 'left behind', expires: '90d' });
    const removed = await visitor.post(`${members}/remove`, { user: person.id });
    expect((await ben.get(`/w/${slug}/`)).statusCode).toBe(404);
    const page = await visitor.get(String(removed.headers.location));
    expect(page.body).toContain('left behind');
    expect(hiddenField(page, 'key')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test(
    'the history says who did what, page by page, of this workspace alone',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      let moment = nowMs;
      const dependencies = { clock: () => (moment += 1) };
      const { visitor, path, members, slug, keyId } = await anAdmin(store, dependencies);
      const other = await anAdmin(store, dependencies);
      await invite(other.visitor, other.members, { email: 'foreign@example.com' });
      await visitor.post(`${path}/revoke`, { key: keyId });
      for (let count = 0; count < 51; count += 1) {
        await invite(visitor, members, { email: `${count}@example.com` });
      }
      const history = `/w/${slug}/settings/history`;
      const first = await visitor.get(history);
      expect(first.body).toMatch(/Ada Example[^]*invited someone\s*<strong>50@example\.com/);
      expect(first.body).not.toContain('revoked a key');
      expect(first.body).not.toContain('foreign');
      const [, older = ''] = /href="([^"]*before=[^"]*)"/.exec(first.body) ?? [];
      const second = await visitor.get(older);
      expect(second.body).toMatch(/revoked a key\s*<strong>test/);
      expect(second.body).not.toContain('before=');
      expect(second.body).not.toContain('foreign');
      expect((await visitor.get(`${history}?before=x`)).statusCode).toBe(400);
    },
  );

  test('no password, token, key or link is in a log, a table, an event, a header or a later page', async () => {
    const { store } = await open();
    const { web, visitor, person, path, members, workspaceId } = await anAdmin(store);
    const form = hiddenField(await visitor.get(path), 'form');
    const made = await visitor.post(path, { form, name: 'ci', expires: '90d' });
    const [key = ''] = keyForm.exec(made.body) ?? [];
    const invited = await invite(visitor, members, { role: 'viewer' });
    const [, link = ''] = /\/invite\/([\w-]{43})/.exec(invited.body) ?? [];
    const password = 'a planted pass phrase';
    const ben = new Visitor(web);
    await ben.get(`/invite/${link}`);
    await ben.get(`/x/${link}?token=${link}`);
    await ben.get(`/%69nvite/${link.slice(0, 30)}`);
    await ben.post(`/invite/${link}`, { name: 'Ben', email: 'ben@example.com', password });
    await ben.post('/sign-in', { email: 'ben@example.com', password: `${password}!` });
    const session = ben.cookies.get('__Host-overheard-443') ?? '';
    const later = await Promise.all([path, members, '/me'].map((each) => visitor.get(each)));
    const headers = [made, invited, ...later].map((response) => JSON.stringify(response.headers));
    const tables = [
      'users',
      'sessions',
      'devices',
      'links',
      'invitations',
      'events',
      'keys',
    ] as const;
    const rows = await Promise.all(
      tables.map((table) => store.access.selectFrom(table).selectAll().execute()),
    );
    const written = [
      web.text(),
      JSON.stringify(rows),
      ...headers,
      ...later.map(({ body }) => body),
    ];
    expect(web.text()).toContain('/invite/[redacted]');
    expect(written.join('\n')).toContain(workspaceId);
    for (const secret of [key, link, link.slice(0, 30), password, session, person.session]) {
      expect(secret.length).toBeGreaterThan(15);
      expect(written.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
});

function invite(
  visitor: Visitor,
  path: string,
  { email = '', role = 'viewer' }: { email?: string; role?: string },
) {
  return visitor.post(path, { email, role, form: newId(Date.now) });
}

async function anAdmin(
  store: Parameters<typeof startWeb>[0],
  dependencies: Parameters<typeof startWeb>[1] = {},
) {
  const web = await startWeb(store, dependencies);
  const tenant = await newTenant(store);
  const { workspaceId, slug } = tenant;
  const person = await newPerson(store, { workspaceId, role: 'admin' });
  const visitor = new Visitor(web, person);
  await visitor.get('/me');
  return {
    ...tenant,
    web,
    person,
    visitor,
    path: `/w/${slug}/settings/keys`,
    members: `/w/${slug}/settings/members`,
  };
}
