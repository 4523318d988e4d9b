// @module-tag slow

import { beforeAll, expect, test } from 'vitest';
import { newPerson } from '../../test/browsers/people.ts';
import { Visitor } from '../../test/browsers/web.ts';
import { nowMs } from '../../test/servers/api.ts';
import {
  asked,
  authorizePath,
  callback,
  clientDocument,
  clientId,
  connect,
  consent,
  issuer,
  newMember,
  resource,
  serveDocument,
  startServer,
  wayBack,
} from '../../test/servers/assistants.ts';
import type { Parameters } from '../../test/servers/assistants.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { DocumentFetch } from '../people/connectors/client-document.ts';
import type { Store } from '../storage/store.ts';

const hourMs = 60 * 60_000;
const loopback = 'http://127.0.0.1:8484';

eachStore('the page of OAuth and its documents', (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => nowMs }));
  });

  test('the documents name the tools, the server and what it supports, for pages of any site', async () => {
    const server = await startServer(store);
    for (const path of ['', '/mcp']) {
      const response = await server.get(`/.well-known/oauth-protected-resource${path}`);
      expect(await response.json()).toMatchObject({
        resource,
        authorization_servers: [issuer],
        scopes_supported: ['overheard:read'],
      });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
    const path = '/.well-known/oauth-authorization-server';
    const document: unknown = await (await server.get(path)).json();
    expect(document).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect(document).not.toHaveProperty('registration_endpoint');
    const all = await startServer(store, { connectors: 'all' });
    expect(await (await all.get(path)).json()).toMatchObject({
      registration_endpoint: `${issuer}/oauth/register`,
    });
    expect((await server.get(path, { method: 'OPTIONS' })).status).toBe(204);
    expect((await server.get(path, { method: 'POST' })).status).toBe(405);
  });

  test('a person connects an assistant, whose access token opens the tools of the chosen workspace', async () => {
    const server = await startServer(store);
    const member = await newMember(store);
    const page = await server.visitor(member.person).get(authorizePath());
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('assistant.example');
    const tokens = await connect(server, member);
    expect(tokens.expires_in).toBe(3600);
    expect(tokens.access_token).toMatch(/^overheard_at_[\w-]{43}$/);
    expect(tokens.refresh_token).toMatch(/^overheard_rt_[\w-]{43}$/);
    expect((await server.callTools(tokens.access_token)).status).toBe(200);
    await expect
      .poll(server.api.lines)
      .toContainEqual(expect.objectContaining({ path: '/mcp', workspace_id: member.workspaceId }));
  });

  test('a call without a token says where to sign in, and one with a wrong token also that it is wrong', async () => {
    const server = await startServer(store);
    const challenge = `Bearer resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp", scope="overheard:read"`;
    const without = await server.callTools('');
    expect(without.status).toBe(401);
    expect(without.headers.get('www-authenticate')).toBe(challenge);
    const wrong = await server.callTools(`overheard_at_${'x'.repeat(43)}`);
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toBe(`${challenge}, error="invalid_token"`);
  });

  test.for([
    ['off', issuer, false],
    ['documents', 'http://overheard.example:443', false],
    ['documents', 'https://example.com/overheard', false],
    ['documents', loopback, true],
  ] as const)(
    'with --connectors %s at %s, assistants can sign in: %s',
    async ([connectors, url, isOn]) => {
      const member = await newMember(store);
      const { access_token: token } = await connect(await startServer(store), member);
      const server = await startServer(store, { connectors, url });
      const paths = [
        '/.well-known/oauth-authorization-server',
        '/.well-known/oauth-protected-resource/mcp',
      ];
      for (const path of paths) expect((await server.get(path)).ok, path).toBe(isOn);
      expect((await server.post('/oauth/token', {})).status).toBe(isOn ? 400 : 404);
      const page = await server
        .visitor(member.person)
        .get(authorizePath({ ...asked, resource: `${url}/mcp` }));
      expect(page.statusCode).toBe(isOn ? 200 : 404);
      const refused = await server.callTools(token);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')?.includes('resource_metadata')).toBe(isOn);
    },
  );

  const unread = { ...clientDocument, client_id: 'https://unread.example/client.json' };
  test.for<readonly [string, DocumentFetch]>([
    ['cannot be fetched', () => Promise.reject(new Error('refused'))],
    ['is missing', serveDocument(unread, { status: 404 })],
    ['is of another client', serveDocument()],
    ['is a page', () => Promise.resolve(new Response(JSON.stringify(unread)))],
    ['has no redirects', serveDocument({ client_id: unread.client_id })],
    ['has over 5 KB', serveDocument({ ...unread, more: 'x'.repeat(5 * 1024) })],
  ])('a client whose document %s gets a page, not a redirect', async ([, fetchDocument]) => {
    const server = await startServer(store, { fetchDocument });
    const { person } = await newMember(store);
    const page = await server
      .visitor(person)
      .get(authorizePath({ ...asked, client_id: unread.client_id }));
    expect(page.statusCode).toBe(400);
    expect(page.headers.location).toBeUndefined();
    expect(page.body).toContain('This assistant is unknown');
  });

  test('documents are fetched without following redirects, with a limit of time, once an hour', async () => {
    const inits: unknown[] = [];
    let at = nowMs;
    const server = await startServer(store, {
      clock: () => at,
      fetchDocument: (url, init) => {
        inits.push(init);
        return serveDocument({ ...clientDocument, client_id: url })(url, init);
      },
    });
    const { person } = await newMember(store);
    const visitor = server.visitor(person);
    const path = authorizePath({ ...asked, client_id: 'https://once.example/client.json' });
    for (const ms of [0, hourMs - 1, hourMs, hourMs]) {
      at = nowMs + ms;
      expect((await visitor.get(path)).statusCode).toBe(200);
    }
    expect(inits).toHaveLength(2);
    expect(inits[0]).toMatchObject({ redirect: 'error', signal: expect.any(AbortSignal) });
  });

  test.for([
    'http://assistant.example/client.json',
    'https://assistant.example/',
    'https://user@assistant.example/client.json',
    'https://assistant.example/client.json#x',
    'https://assistant.example/a/../client.json',
    '0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00',
  ])('no document is fetched for the client %s', async (id) => {
    const fetched: string[] = [];
    const server = await startServer(store, {
      fetchDocument: (url) => {
        fetched.push(url);
        return Promise.reject(new Error('refused'));
      },
    });
    const { person } = await newMember(store);
    const page = await server.visitor(person).get(authorizePath({ ...asked, client_id: id }));
    expect([page.statusCode, fetched]).toEqual([400, []]);
  });

  test.for([
    ['https://evil.example/callback', 400],
    [`${callback}/`, 400],
    [`${callback}?next=x`, 400],
    ['http://assistant.example/callback', 400],
    ['javascript:alert(1)', 400],
    ['https://a;sandbox/callback', 400],
    ['http://127.0.0.1:1/other', 400],
    ['http://127.0.0.1:65535/callback', 200],
  ] as const)(
    'a way back to %s gets status %i, never a redirect',
    async ([redirect_uri, status]) => {
      // The document lists those too that no document may have.
      const odd = ['javascript:alert(1)', 'https://a;sandbox/callback'];
      const redirect_uris = [...clientDocument.redirect_uris, ...odd];
      const client_id = `${clientId}/odd`;
      const fetchDocument = serveDocument({ ...clientDocument, client_id, redirect_uris });
      const wanted = { ...asked, client_id, redirect_uri };
      const server = await startServer(store, { fetchDocument });
      const { person, slug } = await newMember(store);
      const page = await server.visitor(person).get(authorizePath(wanted));
      expect([page.statusCode, page.headers.location]).toEqual([status, undefined]);
      if (status === 200) return;
      expect((await consent(server, { person, slug }, wanted)).statusCode).toBe(400);
    },
  );

  test.for<readonly [string, Parameters]>([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_target', { resource: '' }],
    ['invalid_target', { resource: `${issuer}/other` }],
    ['invalid_target', { resource: 'https://elsewhere.example/mcp' }],
    ['invalid_scope', { scope: 'overheard:write' }],
  ])(
    'the error %s of a request with %o goes back with the state and our name',
    async ([error, wrong]) => {
      const server = await startServer(store);
      const member = await newMember(store);
      const parameters = { ...asked, ...wrong };
      const visitor = server.visitor(member.person);
      for (const response of [
        await visitor.get(authorizePath(parameters)),
        await consent(server, member, parameters),
      ]) {
        expect(response.statusCode).toBe(303);
        expect(String(response.headers.location)).toMatch(
          /^https:\/\/assistant\.example\/callback\?/,
        );
        expect(wayBack(response)).toMatchObject({ error, state: asked.state, iss: issuer });
        expect(wayBack(response)).not.toHaveProperty('code');
      }
      const twice = await visitor.get(`${authorizePath()}&state=2`);
      expect(wayBack(twice)).toMatchObject({ error: 'invalid_request' });
    },
  );

  test('a person who declines goes back with access_denied, and no code is made', async () => {
    const server = await startServer(store);
    const { person, slug } = await newMember(store);
    const fields = { workspace: slug, decision: 'cancel' };
    const response = await server.visitor(person).post(authorizePath(), fields);
    expect(wayBack(response)).toMatchObject({ error: 'access_denied', state: asked.state });
  });

  test('a stranger signs in first, and only a member can connect a workspace', async () => {
    const server = await startServer(store);
    const [member, other] = [await newMember(store), await newMember(store)];
    const stranger = await new Visitor(server.web).get(authorizePath());
    expect(stranger.headers.location).toBe(`/sign-in?next=${encodeURIComponent(authorizePath())}`);
    const foreign = await consent(server, { ...member, slug: other.slug });
    expect([foreign.statusCode, foreign.headers.location]).toEqual([404, undefined]);
    const operator = await newPerson(store, { isOperator: true });
    const { access_token: token } = await connect(server, { person: operator, slug: other.slug });
    expect((await server.callTools(token)).status).toBe(200);
  });

  test.for(['cross-site', 'same-site'])('a %s form connects nothing', async (site) => {
    const server = await startServer(store);
    const { person, slug } = await newMember(store);
    const response = await server
      .visitor(person)
      .post(authorizePath(), { workspace: slug, decision: 'connect' }, { 'sec-fetch-site': site });
    expect([response.statusCode, response.headers.location]).toEqual([403, undefined]);
  });

  test('the page cannot be framed or kept, leads back to the host, and leaves a popup its opener', async () => {
    const server = await startServer(store);
    const visitor = server.visitor((await newMember(store)).person);
    const { headers } = await visitor.get(authorizePath());
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://assistant.example;");
    expect(headers['cache-control']).toBe('no-store');
    const signIn = await new Visitor(server.web).get('/sign-in');
    for (const each of [headers, signIn.headers]) {
      expect(each).not.toHaveProperty('cross-origin-opener-policy');
    }
    expect((await visitor.get('/me')).headers).toHaveProperty('cross-origin-opener-policy');
  });

  test('a hostile name of a client is text without signs that act, and its host is named', async () => {
    const client_name = `<script>alert(1)</script>\u202eOverheard\n${'x'.repeat(500)}`;
    const document = { ...clientDocument, client_id: 'https://evil.example/c', client_name };
    const server = await startServer(store, { fetchDocument: serveDocument(document) });
    const { person } = await newMember(store);
    const { body } = await server
      .visitor(person)
      .get(authorizePath({ ...asked, client_id: document.client_id }));
    expect(body).toContain('&lt;script&gt;');
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('\u202e');
    expect(body).not.toContain('x'.repeat(81));
    expect(body).toContain('evil.example');
    expect(body).toContain('Nobody has checked its name');
  });
});
