// @module-tag slow

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../../test/browsers/web.ts';
import { call, nowMs } from '../../test/servers/api.ts';
import {
  codeForm,
  connect,
  consent,
  issuer,
  newMember,
  readTokens,
  refreshForm,
  refusal,
  startServer,
  startServers,
  statuses,
  wayBack,
} from '../../test/servers/assistants.ts';
import type { Parameters, Server } from '../../test/servers/assistants.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { openStore } from '../storage/open/open-store.ts';
import type { Store } from '../storage/store.ts';

const minuteMs = 60_000;
const hourMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

eachStore('codes and tokens of assistants', (open) => {
  let store: Store;
  let stores: readonly [Store, Store];
  beforeAll(async () => {
    const clock = () => nowMs;
    const { url, ...opened } = await open({ clock });
    ({ store } = opened);
    stores = [store, await openStore(url, { clock })];
  });
  afterAll(() => stores[1].close());

  test('a stolen code is refused without its verifier, client and address, and the client can still use it', async () => {
    const server = await startServer(store);
    const member = await newMember(store);
    const wrongs: ReadonlyArray<readonly [string, Parameters]> = [
      ['invalid_grant', { code_verifier: 'another-verifier' }],
      ['invalid_grant', { client_id: 'https://evil.example/client.json' }],
      ['invalid_grant', { redirect_uri: 'https://evil.example/callback' }],
      ['invalid_grant', { code: 'another-code' }],
      ['invalid_target', { resource: 'https://elsewhere.example/mcp' }],
      ['invalid_target', { resource: '' }],
      ['invalid_request', { code_verifier: '' }],
      ['unsupported_grant_type', { grant_type: 'password' }],
    ];
    const { code = '' } = wayBack(await consent(server, member));
    for (const [error, wrong] of wrongs) {
      const response = await server.post('/oauth/token', codeForm(code, wrong));
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect([wrong, await refusal(response)]).toEqual([wrong, [400, error]]);
    }
    expect((await server.post('/oauth/token', codeForm(code))).status).toBe(200);
  });

  test('a code ends after a minute', async () => {
    let at = nowMs;
    const server = await startServer(store, { clock: () => at });
    const { code = '' } = wayBack(await consent(server, await newMember(store)));
    at += minuteMs;
    expect(await refusal(await server.post('/oauth/token', codeForm(code)))).toEqual([
      400,
      'invalid_grant',
    ]);
  });

  test('a code that is used a second time ends what the first use got', async () => {
    const servers = await startServers(stores);
    const { code = '' } = wayBack(await consent(servers[0], await newMember(store)));
    const tokens = await readTokens(await servers[0].post('/oauth/token', codeForm(code)));
    const again = await servers[1].post('/oauth/token', codeForm(code));
    expect(await refusal(again)).toEqual([400, 'invalid_grant']);
    expect(await statuses(servers, tokens.access_token)).toEqual([401, 401]);
    const refreshed = await servers[0].post('/oauth/token', refreshForm(tokens.refresh_token));
    expect(await refusal(refreshed)).toEqual([400, 'invalid_grant']);
  });

  test('a code that is used on two servers at once gives tokens on one', async () => {
    const servers = await startServers(stores);
    const { code = '' } = wayBack(await consent(servers[0], await newMember(store)));
    const responses = await Promise.all(
      [...servers, ...servers].map((each) => each.post('/oauth/token', codeForm(code))),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(3);
  });

  test('a refresh token is exchanged for the next one, and is good for 30 s more if the response was lost', async () => {
    let at = nowMs;
    const server = await startServer(store, { clock: () => at });
    const { refresh_token: first } = await connect(server, await newMember(store));
    const refresh = (token: string) => server.post('/oauth/token', refreshForm(token));
    const lost = await readTokens(await refresh(first));
    at += 30_000;
    const next = await readTokens(await refresh(first));
    expect(new Set([first, lost.refresh_token, next.refresh_token]).size).toBe(3);
    at += hourMs;
    const last = await readTokens(await refresh(next.refresh_token));
    expect((await server.callTools(next.access_token)).status).toBe(401);
    expect((await server.callTools(last.access_token)).status).toBe(200);
  });

  test('a refresh token that is used after those 30 s was stolen: its grant ends on every server', async () => {
    let at = nowMs;
    const clock = () => at;
    const servers = await startServers(stores, { clock });
    const { refresh_token: first } = await connect(servers[0], await newMember(store));
    const next = await readTokens(await servers[0].post('/oauth/token', refreshForm(first)));
    at += 30_001;
    const stolen = await servers[1].post('/oauth/token', refreshForm(first));
    expect(await refusal(stolen)).toEqual([400, 'invalid_grant']);
    expect(await statuses(servers, next.access_token)).toEqual([401, 401]);
    const refreshed = await servers[0].post('/oauth/token', refreshForm(next.refresh_token));
    expect(await refusal(refreshed)).toEqual([400, 'invalid_grant']);
  });

  test('of uses of a refresh token on two servers at once, the first one counts', async () => {
    let at = nowMs;
    const clock = () => at;
    const servers = await startServers(stores, { clock });
    const { refresh_token: first } = await connect(servers[0], await newMember(store));
    const refresh = (server: Server) => server.post('/oauth/token', refreshForm(first));
    const pairs = await Promise.all(servers.map(async (each) => readTokens(await refresh(each))));
    at += 20_000;
    pairs.push(await readTokens(await refresh(servers[1])));
    at += 10_001;
    for (const { access_token: token } of pairs) {
      expect(await statuses(servers, token)).toEqual([200, 200]);
    }
    expect((await refresh(servers[0])).status).toBe(400);
    for (const { access_token: token } of pairs) {
      expect(await statuses(servers, token)).toEqual([401, 401]);
    }
  });

  test(
    'a connection gets 60 pairs of tokens in an hour, and keeps the refresh token that it had to wait with',
    { tags: ['once'] },
    async () => {
      let at = nowMs;
      const server = await startServer(store, { clock: () => at });
      const [one, other] = [
        await connect(server, await newMember(store)),
        await connect(server, await newMember(store)),
      ];
      const refresh = (token: string) => server.post('/oauth/token', refreshForm(token));
      let last = await readTokens(await refresh(one.refresh_token));
      for (let pairs = 1; pairs < 60; pairs += 1) {
        last = await readTokens(await refresh(one.refresh_token));
      }
      const late = await refresh(last.refresh_token);
      expect([late.status, late.headers.get('retry-after')]).toEqual([429, '3600']);
      expect((await refresh(other.refresh_token)).status).toBe(200);
      at += hourMs;
      expect((await refresh(last.refresh_token)).status).toBe(200);
    },
  );

  test('a refresh token is refused from another client, for other tools, and after 30 days', async () => {
    let at = nowMs;
    const server = await startServer(store, { clock: () => at });
    const { refresh_token: token } = await connect(server, await newMember(store));
    const refresh = async (more: Parameters = {}) =>
      refusal(await server.post('/oauth/token', refreshForm(token, more)));
    const evil = { client_id: 'https://evil.example/client.json' };
    expect(await refresh(evil)).toEqual([400, 'invalid_grant']);
    expect(await refresh({ resource: issuer })).toEqual([400, 'invalid_target']);
    expect(await refresh({ resource: '' })).toEqual([400, 'invalid_target']);
    at += 30 * dayMs;
    expect(await refresh()).toEqual([400, 'invalid_grant']);
  });

  test(
    'a connection ends after a year, however often its tokens are exchanged',
    { tags: ['once'] },
    async () => {
      let at = nowMs;
      const server = await startServer(store, { clock: () => at });
      let tokens = await connect(server, await newMember(store));
      for (let days = 0; days < 364; days += 28) {
        at += 28 * dayMs;
        tokens = await readTokens(
          await server.post('/oauth/token', refreshForm(tokens.refresh_token)),
        );
      }
      at = nowMs + 365 * dayMs - minuteMs;
      tokens = await readTokens(
        await server.post('/oauth/token', refreshForm(tokens.refresh_token)),
      );
      expect(tokens.expires_in).toBe(60);
      at += minuteMs;
      const late = await server.post('/oauth/token', refreshForm(tokens.refresh_token));
      expect(await refusal(late)).toEqual([400, 'invalid_grant']);
    },
  );

  test('an access token opens the tools at its own address alone, for an hour', async () => {
    let at = nowMs;
    const clock = () => at;
    const server = await startServer(store, { clock });
    const elsewhere = await startServer(store, { clock, url: 'https://other.example' });
    const { access_token: token } = await connect(server, await newMember(store));
    expect(await statuses([server, elsewhere], token)).toEqual([200, 401]);
    const inQuery = await server.get(`/mcp?access_token=${token}`, { method: 'POST' });
    expect(inQuery.status).toBe(401);
    at += hourMs;
    expect(await statuses([server], token)).toEqual([401]);
  });

  test('the tables of tokens and keys are apart: neither opens what the other does', async () => {
    const server = await startServer(store);
    const member = await newMember(store);
    const { access_token, refresh_token } = await connect(server, member);
    for (const key of [access_token, refresh_token]) {
      expect((await call(server.api, '/api/v1/scores', { key })).statusCode).toBe(401);
    }
    expect((await server.callTools(refresh_token)).status).toBe(401);
    expect((await server.callTools(member.key)).status).toBe(200);
    for (const token of [member.key, access_token]) {
      const response = await server.post('/oauth/token', refreshForm(token));
      expect(await refusal(response)).toEqual([400, 'invalid_grant']);
    }
    const page = await new Visitor(server.web).get('/me', {
      authorization: `Bearer ${access_token}`,
    });
    expect(page.headers.location).toContain('/sign-in');
    const foreign = await server.callTools(access_token, { Origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
  });
});
