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
  codeForm,
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
import type { Store } from '../storage/store.ts';
import { archiveWorkspace } from '../workspaces/workspaces.ts';

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

  test(
    'a person connects an assistant, whose access token opens the tools of the chosen workspace',
    { tags: ['once'] },
    async () => {
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
        .toContainEqual(
          expect.objectContaining({ path: '/mcp', workspace_id: member.workspaceId }),
        );
    },
  );

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

  test('a person who connects three times has one code that works', async () => {
    const server = await startServer(store);
    const member = await newMember(store);
    const codes: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      codes.push(wayBack(await consent(server, member))['code'] ?? '');
    }
    const responses = [];
    for (const code of codes) {
      responses.push((await server.post('/oauth/token', codeForm(code))).status);
    }
    expect(responses).toEqual([400, 400, 200]);
  });

  test('an archived workspace is neither offered nor connected', async () => {
    const server = await startServer(store);
    const member = await newMember(store);
    const page = () => server.visitor(member.person).get(authorizePath());
    expect((await page()).body).toContain(`value="${member.slug}"`);
    await archiveWorkspace(store, member.workspaceId, {
      archivedAt: new Date(nowMs).toISOString(),
    });
    expect((await page()).body).not.toContain(`value="${member.slug}"`);
    expect((await consent(server, member)).statusCode).toBe(404);
  });

  test('a way back that the client has not named gets a page, never a redirect', async () => {
    // The document lists one too that no document may have.
    const redirect_uris = [...clientDocument.redirect_uris, 'javascript:alert(1)'];
    const client_id = `${clientId}/odd`;
    const fetchDocument = serveDocument({ ...clientDocument, client_id, redirect_uris });
    const server = await startServer(store, { fetchDocument });
    const member = await newMember(store);
    const statusOf = async (redirect_uri: string) => {
      const path = authorizePath({ ...asked, client_id, redirect_uri });
      const page = await server.visitor(member.person).get(path);
      expect(page.headers.location).toBeUndefined();
      return page.statusCode;
    };
    expect(await statusOf('http://127.0.0.1:65535/callback')).toBe(200);
    for (const redirect_uri of [
      'https://evil.example/callback',
      `${callback}/`,
      'https://assistant.example:8443/callback',
      `${callback}?next=x`,
      'http://assistant.example/callback',
      'javascript:alert(1)',
      'http://127.0.0.1:1/other',
    ]) {
      expect(await statusOf(redirect_uri), redirect_uri).toBe(400);
      const wanted = { ...asked, client_id, redirect_uri };
      expect((await consent(server, member, wanted)).statusCode).toBe(400);
    }
  });

  test('the error of a request goes back with the state and our name, but only by a click', async () => {
    const server = await startServer(store);
    const member = await newMember(store);
    const visitor = server.visitor(member.person);
    const wrongs: ReadonlyArray<readonly [string, Parameters]> = [
      ['unsupported_response_type', { response_type: 'token' }],
      ['invalid_request', { code_challenge: '' }],
      ['invalid_request', { code_challenge_method: 'plain' }],
      ['invalid_target', { resource: '' }],
      ['invalid_target', { resource: `${issuer}/other` }],
      ['invalid_scope', { scope: 'overheard:write' }],
    ];
    for (const [error, wrong] of wrongs) {
      const parameters = { ...asked, ...wrong };
      for (const response of [
        await visitor.get(authorizePath(parameters)),
        await consent(server, member, parameters),
      ]) {
        expect([response.statusCode, response.headers.location]).toEqual([400, undefined]);
        const link = linkOf(response);
        expect(link.origin + link.pathname).toBe(callback);
        const { error_description: words, ...rest } = Object.fromEntries(link.searchParams);
        expect(rest).toEqual({ error, state: asked.state, iss: issuer });
        expect(response.body).toContain(words);
      }
    }
  });

  test('a parameter that occurs twice is an error, and none of its values is believed', async () => {
    const server = await startServer(store);
    const visitor = server.visitor((await newMember(store)).person);
    const state = await visitor.get(`${authorizePath()}&state=2`);
    expect(linkOf(state).searchParams.get('error')).toBe('invalid_request');
    const redirect = await visitor.get(`${authorizePath()}&redirect_uri=https://evil.example`);
    expect([redirect.statusCode, redirect.body.includes('evil.example')]).toEqual([400, false]);
    const other = await visitor.get(`${authorizePath()}&resource=https://elsewhere.example/mcp`);
    expect(linkOf(other).searchParams.get('error')).toBe('invalid_target');
  });

  test('a person who declines goes back with access_denied, and no code is made', async () => {
    const server = await startServer(store);
    const { person, slug, workspaceId } = await newMember(store);
    const fields = { workspace: slug, decision: 'cancel' };
    const back = wayBack(await server.visitor(person).post(authorizePath(), fields));
    expect(back).toMatchObject({ error: 'access_denied', state: asked.state });
    expect(back).not.toHaveProperty('code');
    const codes = store.access
      .selectFrom('oauth_codes')
      .select('hash')
      .where('workspace_id', '=', workspaceId);
    expect(await codes.execute()).toEqual([]);
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

  test('the page cannot be framed or kept, leads back wherever the host does, and leaves a popup its opener', async () => {
    const server = await startServer(store);
    const visitor = server.visitor((await newMember(store)).person);
    const { headers } = await visitor.get(authorizePath());
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('form-action');
    expect(headers['cache-control']).toBe('no-store');
    const signIn = await new Visitor(server.web).get('/sign-in');
    for (const each of [headers, signIn.headers]) {
      expect(each).not.toHaveProperty('cross-origin-opener-policy');
    }
    expect((await visitor.get('/me')).headers).toHaveProperty('cross-origin-opener-policy');
  });
});

/** The link on a page that leads to a host. */
function linkOf({ body }: { body: string }): URL {
  const [, href = ''] = /<a class="button" href="(.*?)"/.exec(body) ?? [];
  return new URL(href.replaceAll('&amp;', '&'));
}
