// @module-tag slow

import { beforeAll, expect, test } from 'vitest';
import { newPerson } from '../../test/browsers/people.ts';
import { nowMs } from '../../test/servers/api.ts';
import {
  asked,
  authorizePath,
  callback,
  codeForm,
  connect,
  newMember,
  refusal,
  startServer,
  statuses,
} from '../../test/servers/assistants.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';

const dayMs = 24 * 60 * 60_000;

eachStore('registrations of assistants', (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => nowMs }));
  });

  test.for([
    [{ redirect_uris: ['https://a.example/cb'], client_name: 'A' }, 201],
    [
      { redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]/cb', 'http://localhost:3000/cb'] },
      201,
    ],
    [{ redirect_uris: ['program://callback', 'javascript:alert(1)', 'https://a.example/cb'] }, 201],
    [{ redirect_uris: [] }, 400],
    [{}, 400],
    [{ redirect_uris: ['http://a.example/cb'] }, 400],
    [{ redirect_uris: ['javascript:alert(1)'] }, 400],
    [{ redirect_uris: ['https://a.example/cb#x'] }, 400],
    ['no object', 400],
  ] as const)('the registration of %j gets %i', async ([metadata, status]) => {
    const body = JSON.stringify(metadata);
    const off = await startServer(store);
    expect((await off.get('/oauth/register', { method: 'POST', body })).status).toBe(404);
    const server = await startServer(store, { connectors: 'all' });
    const response = await server.get('/oauth/register', { method: 'POST', body });
    expect(response.status).toBe(status);
    const {
      token_endpoint_auth_method: method,
      redirect_uris,
      error,
    } = Object(await response.json());
    expect(method ?? error).toMatch(status === 201 ? /^none$/ : /^invalid_/);
    expect(String(redirect_uris)).not.toMatch(/program|javascript/);
  });

  test(
    'a registered client is forgotten after a day, unless a person has connected it',
    { tags: ['once'] },
    async () => {
      let at = nowMs;
      const server = await startServer(store, { connectors: 'all', clock: () => at });
      const register = async () => {
        const body = JSON.stringify({ redirect_uris: [callback], client_name: 'Registered' });
        const response = await server.get('/oauth/register', { method: 'POST', body });
        return { ...asked, client_id: String(Object(await response.json()).client_id) };
      };
      const member = await newMember(store);
      const [used, unused] = [await register(), await register()];
      const tokens = await connect(server, member, used);
      expect((await server.callTools(tokens.access_token)).status).toBe(200);
      at += dayMs;
      const visitor = server.visitor(await newPerson(store, { ...member, clock: () => at }));
      expect((await visitor.get(authorizePath(used))).statusCode).toBe(200);
      expect((await visitor.get(authorizePath(unused))).statusCode).toBe(400);
      const gone = codeForm('a code', { client_id: unused.client_id });
      expect(await refusal(await server.post('/oauth/token', gone))).toEqual([
        401,
        'invalid_client',
      ]);
    },
  );

  test('a flood of registrations drops the oldest unused one, and never shuts out the next', async () => {
    const server = await startServer(store, { connectors: 'all' });
    await store.access.deleteFrom('oauth_clients').execute();
    const row = { name: 'Waiting', redirects: JSON.stringify([callback]), used_at: null };
    const rows = Array.from({ length: 1000 }, (_, place) => ({
      ...row,
      id: `waiting-${place}`,
      created_at: new Date(nowMs - 1000 + place).toISOString(),
    }));
    const used = { ...row, id: 'used', created_at: '2020-01-01T00:00:00.000Z', used_at: '2020' };
    await store.access
      .insertInto('oauth_clients')
      .values([used, ...rows])
      .execute();
    const body = JSON.stringify({ redirect_uris: [callback] });
    const response = await server.get('/oauth/register', { method: 'POST', body });
    expect(response.status).toBe(201);
    const id = String(Object(await response.json()).client_id);
    const visitor = server.visitor((await newMember(store)).person);
    for (const [client_id, status] of [
      [id, 200],
      ['waiting-999', 200],
      ['waiting-1', 200],
      ['waiting-0', 400],
      ['used', 200],
    ] as const) {
      const page = await visitor.get(authorizePath({ ...asked, client_id }));
      expect([client_id, page.statusCode]).toEqual([client_id, status]);
    }
  });

  test(
    'a flood of registrations from one network is refused, and not those of another',
    { tags: ['once'] },
    async () => {
      const server = await startServer(store, { connectors: 'all' });
      const last = async (send: () => Promise<Response>, count: number) => {
        let status = 0;
        for (let sent = 0; sent < count; sent += 1) ({ status } = await send());
        return status;
      };
      const register = (address: string) => () =>
        server.get('/oauth/register', {
          method: 'POST',
          headers: { 'X-Forwarded-For': address },
          body: JSON.stringify({ redirect_uris: [callback] }),
        });
      expect(await last(register('192.0.2.1'), 20)).toBe(201);
      expect(await last(register('192.0.2.1'), 1)).toBe(429);
      expect(await last(register('192.0.2.2'), 1)).toBe(201);
    },
  );

  test(
    'a program that has registered is refused once the operator allows documents alone, its tokens too',
    { tags: ['once'] },
    async () => {
      const lenient = await startServer(store, { connectors: 'all' });
      const registered = await lenient.get('/oauth/register', {
        method: 'POST',
        body: JSON.stringify({ redirect_uris: [callback] }),
      });
      const id = String(Object(await registered.json()).client_id);
      const member = await newMember(store);
      const parameters = { ...asked, client_id: id };
      const { access_token } = await connect(lenient, member, parameters);
      const strict = await startServer(store);
      expect(await statuses([lenient, strict], access_token)).toEqual([200, 401]);
      const page = await strict.visitor(member.person).get(authorizePath(parameters));
      expect(page.statusCode).toBe(400);
      const token = await strict.post('/oauth/token', codeForm('a code', { client_id: id }));
      expect(await refusal(token)).toEqual([401, 'invalid_client']);
    },
  );
});
