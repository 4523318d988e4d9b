import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServer } from '@overheard/tools';
import { createResponseCache } from '../src/client/response-cache.ts';
import { createClient } from '../src/client/client.ts';
import { readConfig } from '../src/config.ts';
import { serveOverHttp } from '../src/serve/http.ts';
import type { HttpServing } from '../src/serve/http.ts';
import { goodKey, startFakeOverheard } from './fake-overheard.ts';
import type { FakeOverheard } from './fake-overheard.ts';
import { modernMeta, startProgram } from './line-host.ts';

let fake: FakeOverheard;
let serving: HttpServing;
beforeEach(async () => {
  fake = await startFakeOverheard();
  const client = createClient({
    config: readConfig({ OVERHEARD_API_KEY: goodKey, OVERHEARD_BASE_URL: fake.url }),
    fetch,
    timing: { now: () => performance.now(), random: () => 0, sleep: async () => {} },
    cache: createResponseCache(),
    userAgent: 'test',
  });
  const onError = () => {};
  const make = () =>
    createServer({ program: { name: 'test', version: '1' }, client, onBug: onError });
  serving = await serveOverHttp({ createServer: make, port: 0, onError });
});
afterEach(async () => {
  await serving.close();
  await fake.close();
});

function body(method: string, params: Record<string, unknown>): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(name === undefined ? {} : { 'Mcp-Name': name }),
  };
}

/** A request with headers that `fetch` would not let one choose. */
function ask(headers: Record<string, string>, path = '/mcp'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(serving.url);
    const where = { host: '127.0.0.1', port, path };
    const request = httpRequest({ ...where, method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('error', reject).end(body('tools/list', { _meta: modernMeta }));
  });
}

test.each([
  ['a foreign host', { Host: 'example.com' }, 403],
  ['a foreign host that ends in ours', { Host: 'localhost.example.com' }, 403],
  ['a page of the web', { Origin: 'https://example.com' }, 403],
  ['a page without an origin of its own', { Origin: 'null' }, 403],
  ['this machine by name', { Host: 'localhost:8485' }, 200],
  ['a page of this machine', { Origin: 'http://localhost:3000' }, 200],
])('%s gets what it should', async (_title, headers, status) => {
  expect(await ask({ ...modernHeaders('tools/list'), ...headers })).toBe(status);
});

test('a body of more than a megabyte is refused', async () => {
  const response = await fetch(serving.url, {
    method: 'POST',
    headers: modernHeaders('tools/list'),
    body: body('tools/list', { _meta: modernMeta, filler: 'x'.repeat(1_100_000) }),
  });
  expect(response.status).toBe(413);
});

test('a host that hangs up ends the request that was made for it', async () => {
  fake.behave(() => {});
  const hangUp = new AbortController();
  const call = fetch(serving.url, {
    method: 'POST',
    headers: modernHeaders('tools/call', 'get_scores'),
    body: body('tools/call', { name: 'get_scores', arguments: {}, _meta: modernMeta }),
    signal: hangUp.signal,
  });
  await expect.poll(() => fake.seen.length).toBe(1);
  hangUp.abort(new Error('gone'));
  await expect(call).rejects.toThrow('gone');
  await fake.seen[0]?.abandoned;
});

test('the program serves over HTTP until it is told to stop, and says where on stderr', async () => {
  const host = startProgram({ args: ['--http', '--port', '0'] });
  await expect
    .poll(() => host.written.stderr)
    .toMatch(/serves http:\/\/127\.0\.0\.1:\d+\/mcp to this machine only/);
  host.child.kill('SIGTERM');
  expect(await host.exited).toBe(0);
  expect(host.written.stdout).toBe('');
});
