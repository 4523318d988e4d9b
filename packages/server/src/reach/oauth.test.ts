// @module-tag slow

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { newPerson } from '../../test/browsers/people.ts';
import { nowMs } from '../../test/servers/api.ts';
import {
  asked,
  authorizePath,
  callback,
  clientId,
  codeForm,
  connect,
  consent,
  newMember,
  readTokens,
  refreshForm,
  refusal,
  startServer,
  statuses,
  wayBack,
} from '../../test/servers/assistants.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { addMember, changeMember } from '../people/members.ts';
import { endGrants, listGrants } from '../people/connectors/grants.ts';
import { disableUser, enableUser } from '../people/users/disable-user.ts';
import { removeWorkspace } from '../workspaces/remove-workspace.ts';
import type { Store } from '../storage/store.ts';

const dayMs = 24 * 60 * 60_000;

eachStore('connections of assistants', (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => nowMs }));
  });

  test.for(['access_token', 'refresh_token'] as const)(
    'a client that revokes its %s ends the connection, another client cannot, and an unknown token is fine',
    async (name) => {
      const servers = [await startServer(store), await startServer(store)] as const;
      const tokens = await connect(servers[0], await newMember(store));
      const revoke = (token: string, client_id: string) =>
        servers[1].post('/oauth/revoke', { token, client_id });
      const evil = await revoke(tokens[name], 'https://evil.example/client.json');
      expect(await refusal(evil)).toEqual([401, 'invalid_client']);
      expect(await statuses(servers, tokens.access_token)).toEqual([200, 200]);
      for (const token of [tokens[name], tokens[name], 'unknown']) {
        expect((await revoke(token, clientId)).status).toBe(200);
      }
      expect(await statuses(servers, tokens.access_token)).toEqual([401, 401]);
    },
  );

  test.for([
    'the person',
    'an admin',
    'the command line',
    'the end of the membership',
    'the end of the account',
    'the end of the workspace',
  ])('what %s ended is refused from the next request on, on every server', async (by) => {
    const clock = () => nowMs;
    const servers = [await startServer(store), await startServer(store)] as const;
    const [server] = servers;
    const member = await newMember(store, 'viewer');
    const { workspaceId, slug, person } = member;
    const admin = await newPerson(store, { workspaceId, role: 'admin' });
    const { access_token: token, refresh_token } = await connect(server, member);
    expect(await statuses(servers, token)).toEqual([200, 200]);
    const id = (await listGrants(store.access, { workspaceId }))[0]?.id ?? '';
    const byCommand = { userId: null, clock };
    const ends: Readonly<Record<string, () => Promise<unknown>>> = {
      'the person': () => server.visitor(person).post('/me/connections', { connection: id }),
      'an admin': () =>
        server.visitor(admin).post(`/w/${slug}/settings/keys/connections`, {
          connection: id,
        }),
      'the command line': () => endGrants(store.access, { id }, byCommand),
      'the end of the membership': () =>
        changeMember(store, { workspaceId, userId: person.id, role: null }, byCommand),
      'the end of the account': () => disableUser(store.access, person.email, byCommand),
      'the end of the workspace': () => removeWorkspace(store, workspaceId),
    };
    await ends[by]?.();
    expect(await statuses(servers, token)).toEqual([401, 401]);
    const refreshed = await server.post('/oauth/token', refreshForm(refresh_token));
    expect(await refusal(refreshed)).toEqual([400, 'invalid_grant']);
    for (const table of ['oauth_codes', 'oauth_tokens'] as const) {
      const left = store.access
        .selectFrom(table)
        .select('hash')
        .where('workspace_id', '=', workspaceId);
      expect(await left.execute(), table).toEqual([]);
    }
    // What ended stays ended when a person comes back.
    if (by !== 'the end of the workspace') {
      await enableUser(store.access, person.id);
      await addMember(store.access, { workspaceId, userId: person.id, role: 'viewer', clock });
    }
    expect(await statuses(servers, token)).toEqual([401, 401]);
  });

  test('membership and account are checked at each request, whoever changed them', async () => {
    const server = await startServer(store);
    const { access } = store;
    const [left, disabled] = [await newMember(store), await newMember(store)];
    const tokens = [await connect(server, left), await connect(server, disabled)];
    await access.deleteFrom('members').where('user_id', '=', left.person.id).execute();
    const at = { disabled_at: new Date(nowMs).toISOString() };
    await access.updateTable('users').set(at).where('id', '=', disabled.person.id).execute();
    for (const { access_token: token, refresh_token } of tokens) {
      expect(await statuses([server], token)).toEqual([401]);
      const refreshed = await server.post('/oauth/token', refreshForm(refresh_token));
      expect(await refusal(refreshed)).toEqual([400, 'invalid_grant']);
    }
  });

  test('nobody ends the connection of another person, and only an admin sees those of all', async () => {
    const server = await startServer(store);
    const member = await newMember(store);
    const { access_token: token } = await connect(server, member);
    const grants = await listGrants(store.access, { workspaceId: member.workspaceId });
    const id = grants[0]?.id ?? '';
    const keys = `/w/${member.slug}/settings/keys`;
    const other = await newMember(store, 'admin');
    const stranger = server.visitor(other.person);
    await stranger.post('/me/connections', { connection: id });
    await stranger.post(`/w/${other.slug}/settings/keys/connections`, { connection: id });
    expect((await stranger.post(`${keys}/connections`, { connection: id })).statusCode).toBe(404);
    const viewer = server.visitor(member.person);
    expect((await viewer.post(`${keys}/connections`, { connection: id })).statusCode).toBe(403);
    expect((await viewer.get(keys)).body).not.toContain('Connected assistants');
    expect((await viewer.get('/me')).body).toContain('Assistant');
    expect((await server.callTools(token)).status).toBe(200);
    const admin = await newPerson(store, { workspaceId: member.workspaceId, role: 'admin' });
    expect((await server.visitor(admin).get(keys)).body).toContain('assistant.example');
  });

  test('no code or token is in the log, the database, an event or an address of ours', async () => {
    const server = await startServer(store);
    const member = await newMember(store);
    const back = await consent(server, member);
    const { code = '' } = wayBack(back);
    expect(back.headers['referrer-policy']).toBe('same-origin');
    const tokens = await readTokens(await server.post('/oauth/token', codeForm(code)));
    const next = await readTokens(
      await server.post('/oauth/token', refreshForm(tokens.refresh_token)),
    );
    const secrets = [
      code,
      ...[tokens, next].flatMap((each) => [each.access_token, each.refresh_token]),
    ];
    for (const secret of secrets) {
      await server.get(`/mcp/${secret}`);
      await server.get(`/oauth/token/${secret}?token=${secret}`);
      await server.visitor(member.person).get(`/me/${secret}?code=${secret}`);
    }
    await expect.poll(server.text).toContain('/mcp/');
    const tables = ['oauth_clients', 'oauth_grants', 'oauth_codes', 'oauth_tokens', 'events'];
    const stored = await Promise.all(
      tables.map((table) => sql`select * from ${sql.table(table)}`.execute(store.access)),
    );
    const text = JSON.stringify(stored.map(({ rows }) => rows)) + server.text();
    expect(text).toContain('Assistant (assistant.example)');
    for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 30));
  });

  test.for([
    [{ redirect_uris: ['https://a.example/cb'], client_name: 'A' }, 201],
    [
      { redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]/cb', 'http://localhost:3000/cb'] },
      201,
    ],
    [{ redirect_uris: [] }, 400],
    [{}, 400],
    [{ redirect_uris: ['http://a.example/cb'] }, 400],
    [{ redirect_uris: ['javascript:alert(1)'] }, 400],
    [{ redirect_uris: ['https://a.example/cb#x'] }, 400],
    [{ redirect_uris: Array.from({ length: 21 }, () => 'https://a.example/cb') }, 400],
    ['no object', 400],
  ] as const)('the registration of %j gets %i', async ([metadata, status]) => {
    const body = JSON.stringify(metadata);
    const off = await startServer(store);
    expect((await off.get('/oauth/register', { method: 'POST', body })).status).toBe(404);
    const server = await startServer(store, { connectors: 'all' });
    const response = await server.get('/oauth/register', { method: 'POST', body });
    expect(response.status).toBe(status);
    const { token_endpoint_auth_method: method, error } = Object(await response.json());
    expect(method ?? error).toMatch(status === 201 ? /^none$/ : /^invalid_/);
  });

  test('a registered client is forgotten after a day, unless a person has connected it', async () => {
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
    expect(await refusal(await server.post('/oauth/token', gone))).toEqual([401, 'invalid_client']);
  });

  test('a flood of registrations from one network is refused, and not those of another', async () => {
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
  });

  test('however often a program sends an ended code or token, it hears that it has ended', async () => {
    const server = await startServer(store);
    const ended = { Authorization: `Bearer overheard_at_${'a'.repeat(43)}` };
    for (let sent = 0; sent < 40; sent += 1) {
      const code = await server.post('/oauth/token', codeForm('ended'));
      expect(await refusal(code)).toEqual([400, 'invalid_grant']);
      const call = await server.get('/mcp', { method: 'POST', headers: ended, body: '{}' });
      expect(call.status).toBe(401);
      expect(call.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  test('a program that has registered is refused once the operator allows documents alone', async () => {
    const lenient = await startServer(store, { connectors: 'all' });
    const registered = await lenient.get('/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: [callback] }),
    });
    const id = String(Object(await registered.json()).client_id);
    const { person } = await newMember(store);
    const path = authorizePath({ ...asked, client_id: id });
    expect((await lenient.visitor(person).get(path)).statusCode).toBe(200);
    const strict = await startServer(store);
    expect((await strict.visitor(person).get(path)).statusCode).toBe(400);
    const token = await strict.post('/oauth/token', codeForm('a code', { client_id: id }));
    expect(await refusal(token)).toEqual([401, 'invalid_client']);
  });

  test('a malformed form gets invalid_request', async () => {
    const server = await startServer(store);
    const asJson = await server.get('/oauth/token', { method: 'POST', body: '{}' });
    expect(await refusal(asJson)).toEqual([400, 'invalid_request']);
    const twice = await server.post('/oauth/token', 'grant_type=refresh_token&grant_type=x');
    expect(await refusal(twice)).toEqual([400, 'invalid_request']);
    const empty = await server.post('/oauth/revoke', {});
    expect(await refusal(empty)).toEqual([400, 'invalid_request']);
  });
});
