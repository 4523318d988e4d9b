import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../commands/command-line.ts';
import { startServer } from './server-process.ts';

async function anInstallation() {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-pages-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = `file:${join(folder, 'test.db')}`;
  const run = (...args: string[]) => runCommand([...args, '--database', database]);
  await run('workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme');
  return { database, run };
}

/** Sends a target as it is: `fetch` would tidy it up. */
function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, host: '127.0.0.1' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

test('one listener serves the API and the pages, and neither reads what opens the other', async () => {
  const { database, run } = await anInstallation();
  const key = (await run('key', 'create', '--workspace', 'acme')).stdout.trim();
  const { stdout: link } = await run('user', 'link');
  const server = await startServer(database);
  const setUp = await fetch(server.url + new URL(link.trim()).pathname, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({
      name: 'Ada',
      email: 'ada@example.com',
      password: 'correct horse battery',
    }),
  });
  const cookie = setUp.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const get = async (path: string, headers: Record<string, string>) =>
    (await fetch(server.url + path, { headers, redirect: 'manual' })).status;
  const authorization = `Bearer ${key}`;
  expect(await get('/w/acme/', { cookie })).toBe(200);
  expect(await get('/api/v1/scores', { authorization })).toBe(200);
  expect(await get('/api/v1/scores', { cookie })).toBe(401);
  expect(await get('/w/acme/', { authorization })).toBe(303);
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/errors/not_found',
    '/api/v1/openapi.json',
  ]) {
    expect([path, await get(path, {})]).toEqual([path, 200]);
  }
  for (const path of ['//api/v1/scores', '/x/../api/v1/scores', '/%61pi/v1/scores', '/api/v1']) {
    expect([path, await statusOf(server.port, path)]).toEqual([path, 404]);
  }
  expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('route="/w/:slug/"');

  const { code, stdout, stderr } = await server.stop();
  expect(code).toBe(0);
  expect(stdout).toContain('"path":"/setup/[redacted]"');
  expect(stdout + stderr).not.toContain(link.trim().slice(-43));
  expect(stdout + stderr).not.toContain(key);
});
