import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { goodKey, keyOf, startFakeOverheard } from './fake-overheard.ts';
import type { FakeOverheard } from './fake-overheard.ts';
import { startProgram } from './line-host.ts';

let fake: FakeOverheard;
beforeEach(async () => {
  fake = await startFakeOverheard();
});
afterEach(() => fake.close());

test('--check reads one endpoint and says what an operator needs to see', async () => {
  const environment = { OVERHEARD_API_KEY: goodKey, OVERHEARD_BASE_URL: fake.url };
  const host = startProgram({ args: ['--check'], environment });
  expect(await host.exited).toBe(0);
  expect(host.written.stdout).toMatch(
    new RegExp(
      `server     ${fake.url}/\nkey        set, ends in \\.\\.\\.${goodKey.slice(-4)}\nread       /api/v1/scores: 120 scores, newest 2026-11-20, in \\d+ ms\nquota      299 left, more in 12 s\nEverything works\\.`,
    ),
  );
});

test('--check fails with what to do', async () => {
  const environment = { OVERHEARD_API_KEY: keyOf('1'.repeat(32)), OVERHEARD_BASE_URL: fake.url };
  const host = startProgram({ args: ['--check'], environment });
  expect(await host.exited).toBe(1);
  expect(host.written.stdout).toMatch(/refused the API key \(401 invalid_api_key\)/);
});

test.each([
  [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
  [['--bogus'], 2, /^$/, /--bogus[^]*--check/],
])('a wrong command line is refused with what to do: %j', async (args, code, stdout, stderr) => {
  const host = startProgram({ args });
  await once(host.child, 'close');
  expect(await host.exited).toBe(code);
  expect(host.written.stdout).toMatch(stdout);
  expect(host.written.stderr).toMatch(stderr);
});
