import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endpoints } from '@overheard/contract';
import { z } from 'zod';
import { buildProgram } from '../build/bundle.ts';
import { licencesOf } from '../../../scripts/licences.ts';
import { bundleFile, bundleManifest, publishedManifest, serverJson } from '../build/manifests.ts';
import { readConfig, settings } from '../src/config.ts';
import { initialize, startProgram } from './line-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'overheard-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const listed = z.array(z.object({ name: z.string(), description: z.string() }));

/** Names and descriptions as a running program lists them. */
async function liveTools() {
  const host = startProgram();
  await host.request('initialize', initialize);
  const { result } = await host.request('tools/list');
  await host.close();
  return listed.parse(result?.['tools']);
}

test('the registry entry and the desktop bundle name the tools that a running program lists', async () => {
  const live = await liveTools();
  expect(live).toHaveLength(endpoints.length);
  expect(bundleManifest()['tools']).toEqual(live);
  expect(serverJson()['_meta']).toEqual({
    'io.modelcontextprotocol.registry/publisher-provided': { tools: live },
  });
});

test('the registry entry is for the package that npm gets', () => {
  const { name, version, mcpName } = publishedManifest();
  expect(serverJson()).toMatchObject({
    name: mcpName,
    version,
    packages: [{ identifier: name, version, transport: { type: 'stdio' } }],
  });
  // A domain, reversed, and a name: what is before the slash must be the publisher's own.
  expect(mcpName).toMatch(/^[a-z\d-]+(?:\.[\w-]+)+\/[\w.-]+$/i);
  expect(String(serverJson()['description']).length).toBeLessThanOrEqual(100);
});

test('the package that npm gets needs no other and runs no script', () => {
  const published = publishedManifest();
  for (const field of ['dependencies', 'devDependencies', 'peerDependencies', 'scripts']) {
    expect(published).not.toHaveProperty(field);
  }
  expect(published['bin']).toEqual({ 'overheard-mcp': 'overheard-mcp.js' });
});

test('every manifest asks for the settings that the program reads, the key as a secret', () => {
  const names = Object.keys(settings);
  const manifest = z
    .object({
      server: z.object({ mcp_config: z.object({ env: z.record(z.string(), z.string()) }) }),
      user_config: z.record(z.string(), z.object({ sensitive: z.boolean().optional() })),
    })
    .parse(bundleManifest());
  expect(Object.keys(manifest.server.mcp_config.env)).toEqual(names);
  expect(manifest.user_config['api_key']).toEqual({ sensitive: true });
  expect(JSON.stringify(serverJson())).toMatch(
    /"name":"OVERHEARD_API_KEY",[^}]*"isRequired":true,"isSecret":true/,
  );
  const source = readConfig.toString();
  for (const name of names) expect(source).toContain(name);
});

test('the licences of everything in the bundle are passed on', async () => {
  const inputs = await buildProgram(folder);
  const text = licencesOf(inputs, join(import.meta.dirname, '..'));
  for (const name of ['zod', '@modelcontextprotocol/server', '@modelcontextprotocol/core']) {
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  }
  expect(readFileSync(join(folder, bundleFile), 'utf8')).toContain('content-type');
});
