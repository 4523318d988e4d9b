// @module-tag slow

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson } from '../../test/browsers/people.ts';
import { newTenant, nowMs } from '../../test/servers/api.ts';
import {
  clientId,
  codeForm,
  connect,
  consent,
  newMember,
  readTokens,
  refreshForm,
  refusal,
  startServer,
  startServers,
  statuses,
  wayBack,
} from '../../test/servers/assistants.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { addMember, changeMember } from '../people/members.ts';
import { endGrants, listGrants } from '../people/connectors/grants.ts';
import { disableUser, enableUser } from '../people/users.ts';
import { removeWorkspace } from '../workspaces/remove-workspace.ts';
import { openStore } from '../storage/open/open-store.ts';
import type { Store } from '../storage/store.ts';

const dayMs = 24 * 60 * 60_000;

eachStore('connections of assistants', (open) => {
  let store: Store;
  let stores: readonly [Store, Store];
  beforeAll(async () => {
    const clock = () => nowMs;
    const { url, ...opened } = await open({ clock });
    ({ store } = opened);
    stores = [store, await openStore(url, { clock })];
  });
  afterAll(() => stores[1].close());

  test.for(['access_token', 'refresh_token'] as const)(
    'a client that revokes its %s ends the connection, another client cannot, and an unknown token is fine',
    async (name) => {
      const servers = await startServers(stores);
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
    const servers = await startServers(stores);
    const [server] = servers;
    const member = await newMember(store, 'viewer');
    const { workspaceId, slug, person } = member;
    const admin = await newPerson(store, { workspaceId, role: 'admin' });
    const { access_token: token, refresh_token } = await connect(server, member);
    expect(await statuses(servers, token)).toEqual([200, 200]);
    const id = (await listGrants(store.access, { workspaceId, clock }))[0]?.id ?? '';
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
    for (const table of ['oauth_grants', 'oauth_codes', 'oauth_tokens'] as const) {
      const left = store.access
        .selectFrom(table)
        .select('workspace_id')
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

  test(
    'a person who is removed from one workspace keeps the assistants of another',
    { tags: ['once'] },
    async () => {
      const clock = () => nowMs;
      const server = await startServer(store);
      const { workspaceId, slug, person } = await newMember(store);
      const other = await newTenant(store);
      const member = { workspaceId: other.workspaceId, userId: person.id };
      await addMember(store.access, { ...member, role: 'viewer', clock });
      const gone = await connect(server, { person, slug: other.slug });
      const kept = await connect(server, { person, slug });
      await changeMember(store, { ...member, role: null }, { userId: null, clock });
      expect(await statuses([server], gone.access_token)).toEqual([401]);
      expect(await statuses([server], kept.access_token)).toEqual([200]);
      expect(await listGrants(store.access, { workspaceId, clock })).toHaveLength(1);
    },
  );

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

  test('a person who connects on two servers at once has one connection', async () => {
    const servers = await startServers(stores);
    const member = await newMember(store);
    const both = [...servers, ...servers].map((each) => consent(each, member));
    for (const response of await Promise.all(both))
      expect(wayBack(response)).toHaveProperty('code');
    for (const table of ['oauth_grants', 'oauth_codes'] as const) {
      const rows = store.access
        .selectFrom(table)
        .select('workspace_id')
        .where('workspace_id', '=', member.workspaceId);
      expect(await rows.execute(), table).toHaveLength(1);
    }
  });

  test(
    'connecting again keeps one connection, which ends with the tokens of both times',
    { tags: ['once'] },
    async () => {
      const servers = await startServers(stores);
      const member = await newMember(store);
      const first = await connect(servers[0], member);
      const second = await connect(servers[1], member);
      const { workspaceId } = member;
      const listed = { workspaceId, clock: () => nowMs };
      expect(await listGrants(store.access, listed)).toHaveLength(1);
      for (const { access_token: token } of [first, second]) {
        expect(await statuses(servers, token)).toEqual([200, 200]);
      }
      const form = { token: first.access_token, client_id: clientId };
      expect((await servers[0].post('/oauth/revoke', form)).status).toBe(200);
      for (const { access_token: token } of [first, second]) {
        expect(await statuses(servers, token)).toEqual([401, 401]);
      }
      expect(await listGrants(store.access, listed)).toEqual([]);
    },
  );

  test('only what has tokens is listed as connected: no code that waits, and none after 30 days', async () => {
    let at = nowMs;
    const clock = () => at;
    const server = await startServer(store, { clock });
    const member = await newMember(store);
    const { workspaceId } = member;
    const count = async () => (await listGrants(store.access, { workspaceId, clock })).length;
    const { code = '' } = wayBack(await consent(server, member));
    expect(await count()).toBe(0);
    await server.post('/oauth/token', codeForm(code));
    at += 30 * dayMs - 1;
    expect(await count()).toBe(1);
    at += 1;
    expect(await count()).toBe(0);
    await consent(server, await newMember(store, 'viewer', clock));
    const rows = store.access
      .selectFrom('oauth_grants')
      .select('id')
      .where('workspace_id', '=', workspaceId);
    expect(await rows.execute()).toEqual([]);
  });

  test('the history says when an assistant got tokens, and whether a person, it or a theft ended it', async () => {
    let at = nowMs;
    const server = await startServer(store, { clock: () => at });
    const member = await newMember(store);
    const history = async () => {
      const path = `/w/${member.slug}/settings/history`;
      return (await server.visitor(member.person).get(path)).body;
    };
    const { code = '' } = wayBack(await consent(server, member));
    expect(await history()).not.toContain('connected an assistant');
    const tokens = await readTokens(await server.post('/oauth/token', codeForm(code)));
    expect(await history()).toContain('connected an assistant');
    await server.post('/oauth/revoke', { token: tokens.access_token });
    expect(await history()).toContain('because its assistant asked for that');
    const { refresh_token: stolen } = await connect(server, member);
    await server.post('/oauth/token', refreshForm(stolen));
    at += 30_001;
    await server.post('/oauth/token', refreshForm(stolen));
    expect(await history()).toContain('was used twice');
    expect(await history()).not.toContain('ended the connection of an assistant');
  });

  test('nobody ends the connection of another person, and only an admin sees those of all', async () => {
    const server = await startServer(store);
    const member = await newMember(store);
    const { access_token: token } = await connect(server, member);
    const { workspaceId } = member;
    const grants = await listGrants(store.access, { workspaceId, clock: () => nowMs });
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
    const admin = await newPerson(store, { workspaceId, role: 'admin' });
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
