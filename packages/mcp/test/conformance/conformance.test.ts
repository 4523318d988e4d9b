import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isEverythingTested } from '../../../../test/cases.ts';
import { goodKey, startFakeOverheard } from '../fake-overheard.ts';
import type { FakeOverheard } from '../fake-overheard.ts';
import { startProgram } from '../line-host.ts';
import { startDemo } from '../demo.ts';
import { atAddress, exceptions } from './exceptions.ts';
import { startKeyProxy } from './key-proxy.ts';

const suite = join(
  dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))),
  'dist/index.js',
);
const folder = mkdtempSync(join(tmpdir(), 'overheard-conformance-'));
let fake: FakeOverheard;
let demo: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  [fake, demo] = await Promise.all([startFakeOverheard(), startDemo({ quota: 0 })]);
});
afterAll(async () => {
  demo.child.kill();
  await fake.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the suite as its users do; what it printed, and whether everything was as expected. */
async function runSuite(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [suite, 'server', ...args], { cwd: folder });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, output: stdout + stderr };
}

/** Writes what is expected to fail as the suite reads it. An entry that passes is a failure, too. */
function baseline(name: string, entries: readonly string[]): string {
  const path = join(folder, `${name}.yml`);
  const lines = entries.map((entry) => `  - ${entry}`);
  writeFileSync(path, lines.length === 0 ? 'server: []\n' : `server:\n${lines.join('\n')}\n`);
  return path;
}

/** `npm test` runs the newest alone. */
const revisions = Object.entries(exceptions).filter(
  ([revision]) => isEverythingTested || revision === '2026-07-28',
);

describe.each(revisions)('revision %s', (revision, list) => {
  const entries = list.flatMap((exception) => exception.entries);

  test('every conformance test that applies passes over HTTP', async () => {
    const environment = { OVERHEARD_API_KEY: goodKey, OVERHEARD_BASE_URL: fake.url };
    const host = startProgram({ args: ['--http', '--port', '0'], environment });
    await expect.poll(() => host.written.stderr).toContain('/mcp');
    const url = /http:\S+/.exec(host.written.stderr)?.[0] ?? '';
    const expected = ['--expected-failures', baseline(`http-${revision}`, entries)];
    const { code, output } = await runSuite([
      '--url',
      url,
      '--requirements',
      revision,
      ...expected,
    ]);
    host.child.kill();
    expect(output).toMatch(/✓ tools-list: [34] passed, 0 failed/);
    expect(code, output.slice(-1500)).toBe(0);
  });

  test(
    'every conformance test that applies passes at the address of a server',
    { tags: ['long'] },
    async () => {
      const proxy = await startKeyProxy(demo);
      const all = [...entries, ...(atAddress[revision] ?? []).flatMap((each) => each.entries)];
      const expected = ['--expected-failures', baseline(`address-${revision}`, all)];
      const args = ['--url', proxy.url, '--requirements', revision, ...expected];
      const { code, output } = await runSuite(args);
      await proxy.close();
      expect(output).toMatch(/✓ tools-list: [34] passed, 0 failed/);
      expect(code, output.slice(-1500)).toBe(0);
    },
  );
});
