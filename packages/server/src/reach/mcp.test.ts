// @module-tag slow

import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectAddress, connectHost, readPages } from '../../../mcp/test/connect.ts';
import { newKey, revokeKey } from '../access/keys.ts';
import { newTenant, nowMs, publicUrl, startApi } from '../../test/servers/api.ts';
import { aDetection, aRun, idOf, oneOfEach, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { tools } from '../../../tools/src/tools/all-tools.ts';

const modern = '2026-07-28';
const clock = () => nowMs;

/** Serves the API and the tools on a store. */
async function serve(store: Store, dependencies: Parameters<typeof startApi>[1] = {}) {
  const api = await startApi(store, { clock, cacheBytes: 64 * 1024 * 1024, ...dependencies });
  return { ...api, url: await api.app.listen({ port: 0, host: '127.0.0.1' }) };
}

/** A host at the address of the tools. */
async function connect(url: string, apiKey: string, mode: 'legacy' | 'modern' = 'modern') {
  const host = await connectAddress({
    url,
    apiKey,
    mode: mode === 'modern' ? { pin: modern } : mode,
  });
  onTestFinished(() => host.close());
  return host;
}

/** Sends a list of the tools as a client of the older era. */
function post(url: string, headers: Record<string, string>, init: RequestInit = {}) {
  return fetch(new URL('/mcp', url), {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    ...init,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** A long prompt: each of its runs cites one subject. */
async function writeRuns(store: Store, workspaceId: string, count: number): Promise<void> {
  const runs = Array.from({ length: count }, (_, index) =>
    aRun({ id: idOf(index + 100), prompt_id: idOf(1) }),
  );
  const detections = runs.map(({ id }) => aDetection({ run_id: id }));
  await writeRows(store, workspaceId, { runs, detections });
}

eachStore('the tools at an address', (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open({ clock }));
  });

  test(
    'every tool gives the rows, notes and cursors of overheard-mcp, to the byte, also by the legacy protocol',
    { tags: ['once'] },
    async () => {
      const { url } = await serve(store, { quota: 0 });
      const { key, workspaceId } = await newTenant(store);
      await writeRows(store, workspaceId, oneOfEach({ subjectId: idOf(3) }));
      await writeRuns(store, workspaceId, 300);
      const address = await connect(url, key);
      const legacy = await connect(url, key, 'legacy');
      const program = await connectHost({ url, apiKey: key });
      onTestFinished(() => program.close());
      expect((await address.host.listTools()).tools).toEqual(
        (await program.host.listTools()).tools,
      );
      for (const { name } of tools) {
        const [given, expected] = [await address.call(name), await program.call(name)];
        expect(given.text, name).toBe(expected.text);
        expect(given.structured, name).toEqual(expected.structured);
      }
      const long = { prompt_id: idOf(1), limit: 50 };
      const [given, expected] = [
        await address.call('get_detections', long),
        await program.call('get_detections', long),
      ];
      expect(given.page).toMatchObject({ total: 300 });
      expect(given.text).toBe(expected.text);
      expect((await legacy.call('get_detections', long)).text).toBe(expected.text);
      expect((await legacy.host.listTools()).tools).toEqual((await program.host.listTools()).tools);
      const cursor = expected.page['next_cursor'];
      const next = await address.call('get_detections', { ...long, cursor });
      expect(next.text).toBe((await program.call('get_detections', { ...long, cursor })).text);
      const gone = JSON.stringify([46, 'a'.repeat(16), [46, '~', ''], '2026-11-20']);
      const since = Buffer.from(gone).toString('base64url');
      for (const host of [address, program]) {
        const all = await host.call('get_changes');
        const latest = String(all.page['next_cursor']);
        const later = await host.call('get_changes', { cursor: latest });
        expect(later.rows).toEqual([]);
        expect(later.notes).toContain('No day was written since the call that gave this cursor.');
        const old = latest.replace(/^(\d+-\w{7}-\w{7}-).*/, `$1${since}`);
        const { text } = await host.call('get_changes', { cursor: old });
        expect(text).toContain('`cursor` is of data that is gone (400 cursor_too_old)');
        const malformed = await host.call('get_changes', { cursor: 'yesterday' });
        expect(malformed.text).toContain('The `cursor` does not belong to this call.');
      }
    },
  );

  test('all pages of 2,200 detections cost one request of the quota', async () => {
    const { url } = await serve(store, { quota: 5 });
    const { key, workspaceId } = await newTenant(store);
    await writeRuns(store, workspaceId, 2200);
    const host = await connect(url, key);
    const pages = await readPages(host, 'get_detections', { prompt_id: idOf(1), limit: 80 });
    expect(pages.flatMap(({ rows }) => rows)).toHaveLength(2200);
    const left = pages.flatMap(({ structured }) => structured?.['quota'] ?? []);
    expect(left).toEqual([{ left: 4, resets_in_s: 3600 }]);
  });

  test('the quota of an endpoint is one for its tool and the API, and a repeated call gets old rows with a note', async () => {
    const { url } = await serve(store, { quota: 2 });
    const { key, workspaceId } = await newTenant(store);
    await writeRows(store, workspaceId, oneOfEach({ subjectId: null }));
    const host = await connect(url, key);
    const fresh = await host.call('get_prompts');
    expect(fresh.structured).toMatchObject({ quota: { left: 1 } });
    const ofApi = () => fetch(`${url}/api/v1/prompts`, { headers: bearer(key) });
    expect((await ofApi()).status).toBe(200);
    expect((await ofApi()).status).toBe(429);
    const stale = await host.call('get_prompts');
    expect(stale.rows).toEqual(fresh.rows);
    expect(stale.text).toContain('quota of this tool is spent (429): these rows are 0 s old');
    const refused = await host.call('get_prompts', { active: true });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/quota of this tool is spent \(429\)[^]*Wait 3600 s/);
  });

  test(
    'a workspace whose quota is spent does not get the rows that another has read',
    { tags: ['once'] },
    async () => {
      const { url } = await serve(store, { quota: 1 });
      const [own, other] = [await newTenant(store), await newTenant(store)];
      await writeRows(store, own.workspaceId, oneOfEach({ subjectId: null }));
      const reader = await connect(url, own.key);
      expect((await reader.call('get_prompts')).rows).toHaveLength(1);
      await fetch(`${url}/api/v1/prompts`, { headers: bearer(other.key) });
      const { isError, text } = await (await connect(url, other.key)).call('get_prompts');
      expect([isError, text]).toEqual([true, expect.stringContaining('is spent (429)')]);
    },
  );

  test("a key gets its workspace's rows alone, whatever others have read before", async () => {
    const { url } = await serve(store);
    const [own, other] = [await newTenant(store), await newTenant(store)];
    await writeRows(store, own.workspaceId, oneOfEach({ subjectId: null }));
    const first = await connect(url, own.key);
    expect((await first.call('get_scores')).rows).toHaveLength(1);
    const stranger = await connect(url, other.key);
    for (const { name } of tools) {
      // A report always has its one object; its own test reads another workspace's.
      if (name === 'get_subjects' || name === 'get_report') continue;
      expect((await stranger.call(name)).rows, name).toEqual([]);
    }
  });

  test('get_report has nothing of another workspace, and no argument opens one', async () => {
    const { url } = await serve(store);
    const [own, other] = [await newTenant(store), await newTenant(store)];
    await writeRows(store, own.workspaceId, oneOfEach({ subjectId: null }));
    const stranger = await connect(url, other.key);
    const report = await stranger.call('get_report');
    expect(report.text).toContain('No answers in these 4 weeks.');
    for (const part of ['surfaces', 'engines', 'lost', 'moved', 'gaps']) {
      expect(report.rows.find((row) => part in row)?.[part], part).toEqual([]);
    }
    for (const id of ['workspace', 'workspace_id', 'prompt_id']) {
      const { text } = await stranger.call('get_report', { [id]: own.workspaceId });
      expect(text).toContain('is not an argument of this tool');
    }
    const prompt = { prompt_id: idOf(1) };
    for (const name of ['get_shares', 'get_answers', 'get_detections']) {
      expect((await stranger.call(name, prompt)).rows, name).toEqual([]);
    }
  });

  test('a revoked key is refused on the next request, on every server', async () => {
    const servers = [await serve(store), await serve(store)];
    const { key, keyId } = await newTenant(store);
    for (const { url } of servers) expect((await post(url, bearer(key))).status).toBe(200);
    await revokeKey(store, keyId, { clock });
    for (const { url } of servers) expect((await post(url, bearer(key))).status).toBe(401);
  });

  test('keys that do not open are answered like those of the API, to the byte, if assistants cannot sign in', async () => {
    const { url } = await serve(store, { connectors: 'off' });
    const { key, keyId } = await newTenant(store);
    const { key: expired } = await newTenant(store, { expiresAt: new Date(nowMs).toISOString() });
    await revokeKey(store, keyId, { clock });
    const seen = async (response: Response) => {
      const { request_id: _id, ...body } = Object(await response.json());
      return [response.status, response.headers.get('www-authenticate'), body];
    };
    const api = (headers: Record<string, string>) => fetch(`${url}/api/v1/prompts`, { headers });
    for (const wrong of [newKey(), key, expired, 'x', `${key}x`]) {
      const refused = await seen(await post(url, bearer(wrong)));
      expect(refused).toEqual(await seen(await api(bearer(newKey()))));
      expect(refused.slice(0, 2)).toEqual([401, 'Bearer realm="overheard", error="invalid_token"']);
    }
    const cookie = { Cookie: `Authorization=Bearer ${newKey()}; key=${newKey()}` };
    const missing = await seen(await post(url, cookie));
    expect(missing).toEqual(await seen(await api({})));
    expect(missing.slice(0, 2)).toEqual([401, 'Bearer realm="overheard"']);
  });

  test('invalid keys of an address are limited together with those of the API, and a valid key is not', async () => {
    const { url } = await serve(store);
    const { key } = await newTenant(store);
    const statuses = new Set<number>();
    for (let tries = 0; tries < 20; tries++) {
      statuses.add((await post(url, bearer(newKey()))).status);
      await fetch(`${url}/api/v1/prompts`, { headers: bearer(newKey()) });
    }
    expect([...statuses]).toEqual([401, 429]);
    const limited = await post(url, bearer(newKey()));
    expect(await limited.json()).toMatchObject({ code: 'too_many_failures' });
    expect((await post(url, bearer(key))).status).toBe(200);
  });

  test('another method is refused with 405, and another path is not found', async () => {
    const { key } = await newTenant(store);
    const { url } = await serve(store);
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const response = await fetch(`${url}/mcp`, { method, headers: bearer(key) });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
    for (const path of ['/mcp/', '/MCP', '//mcp', '/mcp/x', '/mcp%2F']) {
      const init = { method: 'POST', headers: bearer(key), body: '{}' };
      expect((await fetch(`${url}${path}`, init)).status, path).toBe(404);
    }
  });

  test('a page of another site is refused, and one of our own is not', async () => {
    const { key } = await newTenant(store);
    const { url } = await serve(store);
    const statusOf = async (Origin: string) => (await post(url, { ...bearer(key), Origin })).status;
    expect(await statusOf(publicUrl)).toBe(200);
    const foreign = await post(url, { ...bearer(key), Origin: 'https://example.com' });
    expect(await foreign.json()).toMatchObject({ code: 'foreign_origin' });
    for (const origin of [
      'https://example.com',
      'null',
      publicUrl.replace('https:', 'http:'),
      url,
    ]) {
      expect(await statusOf(origin), origin).toBe(403);
    }
  });

  test('a body of more than 64 KB is refused, and the next request is served', async () => {
    const { key } = await newTenant(store);
    const { url } = await serve(store);
    const ofBytes = (bytes: number) =>
      post(url, bearer(key), { body: JSON.stringify({ x: 'x'.repeat(bytes - 8) }) });
    const refused = await ofBytes(65_537);
    expect([refused.status, await refused.json()]).toMatchObject([413, { code: 'body_too_large' }]);
    // Read, and refused by the protocol.
    expect((await ofBytes(65_536)).status).toBe(400);
    expect((await post(url, bearer(key))).status).toBe(200);
  });

  test('a call is one line of the log and one in the metrics, without the key', async () => {
    const { key, workspaceId } = await newTenant(store);
    const { url, text, lines } = await serve(store);
    await post(`${url}`, bearer(key), {
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: key }),
    });
    await expect
      .poll(lines)
      .toContainEqual(
        expect.objectContaining({ path: '/mcp', method: 'POST', workspace_id: workspaceId }),
      );
    expect(text()).not.toContain(key);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/overheard_http_requests_total\{route="\/mcp",status="\d+"\} 1/);
  });
});
