import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isEverythingTested } from '../../../test/cases.ts';
import { endpoints } from '@overheard/contract';
import { buildProgram } from '../build/bundle.ts';
import { bundleFile, programFile } from '../build/manifests.ts';
import { servedTools } from '@overheard/tools';
import { goodKey, keyOf, startFakeOverheard } from './fake-overheard.ts';
import type { Behaviour, FakeOverheard } from './fake-overheard.ts';
import { initialize, modernMeta, program, startProgram } from './line-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'overheard-mcp-'));
const published = join(folder, programFile);
const bundled = join(folder, bundleFile);
let fake: FakeOverheard;

beforeAll(() => buildProgram(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  fake = await startFakeOverheard();
});
afterEach(() => fake.close());

/** Forms in which a key could slip out: as it is, in part, and encoded. */
function forms(key: string): string[] {
  const bytes = Buffer.from(key);
  // In base64 the bytes before it decide all of its letters.
  const shifted = ['', ' ', '  '].map((before) =>
    Buffer.from(before + key)
      .toString('base64')
      .slice(4, -4),
  );
  return [
    key,
    key.slice(10, -4),
    bytes.toString('hex'),
    ...shifted,
    ...shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    [...bytes].map((byte) => `%${byte.toString(16)}`).join(''),
    [...key].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join(''),
    [...key].toReversed().join(''),
  ];
}

const programs = [
  ['what is published', published],
  ['the source', program],
] as const;

describe.each(programs.slice(0, isEverythingTested ? 2 : 1))('%s', (_name, file) => {
  test('the program speaks the revision without a handshake, and lets clients keep the list', async () => {
    const environment = { OVERHEARD_API_KEY: goodKey, OVERHEARD_BASE_URL: fake.url };
    const host = startProgram({ file, environment });
    const kept = { ttlMs: 3_600_000, cacheScope: 'public', resultType: 'complete' };
    const discovered = await host.request('server/discover', { _meta: modernMeta });
    expect(discovered.result).toMatchObject({
      ...kept,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: false } },
    });
    const list = await host.request('tools/list', { _meta: modernMeta });
    expect(list.result).toMatchObject({ ...kept, tools: servedTools() });
    const call = await host.request('tools/call', { name: 'get_actions', _meta: modernMeta });
    expect(call.result).toMatchObject({ structuredContent: { page: { total: 12 } } });
    const unknown = await host.request('tools/call', { name: 'get_all', _meta: modernMeta });
    expect(unknown.error).toMatchObject({ code: -32602 });
    expect(await host.close()).toBe(0);
  });

  test('the program starts, lists and explains itself without a key', async () => {
    const host = startProgram({ file });
    await host.request('initialize', initialize);
    const list = await host.request('tools/list');
    expect(list.result?.['tools']).toHaveLength(endpoints.length);
    const call = await host.request('tools/call', { name: 'get_scores', arguments: {} });
    expect(call.result).toMatchObject({ isError: true });
    expect(JSON.stringify(call.result)).toContain('OVERHEARD_API_KEY');
    expect(await host.close()).toBe(0);
  });

  test('the program writes nothing but the protocol on stdout, and its key nowhere', async () => {
    const canary = keyOf('Z'.repeat(16) + 'y'.repeat(16));
    const environment = {
      OVERHEARD_API_KEY: canary,
      OVERHEARD_BASE_URL: fake.url,
      NODE_DEBUG: 'fetch,http,net',
      DEBUG: '*',
    };
    const host = startProgram({ file, environment });
    host.send('this is no JSON');
    host.send('{"jsonrpc":"2.0","method":"notifications/unheard_of"}');
    await host.request('initialize', initialize);
    const rows = fake.data['agent-hits'].map((row) => ({ ...row, path: `/?key=${canary}` }));
    const behaviours: readonly Behaviour[] = [
      (_, response) => response.end(JSON.stringify({ hits: rows })),
      (request, response) => response.writeHead(500).end(request.headers.authorization),
      (request) => request.socket.destroy(),
    ];
    for (const behaviour of behaviours) {
      fake.behave(behaviour);
      for (const args of [{}, { key: canary }, { bot_name: canary }, { cursor: canary }]) {
        await host.request('tools/call', { name: 'get_agent_hits', arguments: args });
      }
      await host.request('tools/call', { name: canary });
    }
    expect(await host.close()).toBe(0);
    const lines = host.written.stdout.trimEnd().split('\n');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(fake.seen[0]?.headers.authorization).toBe(`Bearer ${canary}`);
    for (const form of forms(canary)) {
      expect(host.written.stdout).not.toContain(form);
      expect(host.written.stderr).not.toContain(form);
    }
  });

  test.each(['SIGTERM', 'end of input'] as const)(
    'the program ends at once with 0 after %s, and aborts the open request',
    async (how) => {
      fake.behave(() => {});
      const environment = { OVERHEARD_API_KEY: goodKey, OVERHEARD_BASE_URL: fake.url };
      const host = startProgram({ file, environment });
      await host.request('initialize', initialize);
      void host.request('tools/call', { name: 'get_scores', arguments: {} });
      await expect.poll(() => fake.seen.length).toBe(1);
      if (how === 'end of input') host.child.stdin.end();
      else host.child.kill(how);
      expect(await host.exited).toBe(0);
      await fake.seen[0]?.abandoned;
      expect(host.written.stdout.split('\n').filter((line) => line.includes('"id":2'))).toEqual([]);
    },
  );
});

test('the program starts silently if compiled code cannot be kept', async () => {
  const kept = join(folder, '.compiled');
  rmSync(kept, { recursive: true, force: true });
  writeFileSync(kept, 'in the way');
  const host = startProgram({ file: published });
  expect(await host.request('initialize', initialize)).toHaveProperty('result');
  expect(await host.close()).toBe(0);
  expect(host.written.stderr).toBe('');
  rmSync(kept);
});

test('the bundle is one file below its limits that imports nothing but Node', () => {
  const source = readFileSync(bundled, 'utf8');
  expect(source.length).toBeLessThan(455_000);
  expect(gzipSync(source).length).toBeLessThan(123_000);
  const imports = [...source.matchAll(/\bimport[\w\s{},*$]*from ?"(?<name>[^"]+)"/g)].map(
    ({ groups }) => groups?.['name'],
  );
  expect(imports.length).toBeGreaterThan(2);
  expect(imports.filter((name) => !name?.startsWith('node:'))).toEqual([]);
});
