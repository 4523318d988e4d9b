import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../test/commands/command-line.ts';
import { builtProgram, spawnCommand } from '../test/commands/spawn-command.ts';

test.each([
  ['stdout', '--help', 0],
  ['stderr', '--unknown', 2],
] as const)(
  'a reader of %s that has left is no failure: %s ends with %i as it does otherwise',
  async (closed, option, expected) => {
    // The shell's `sleep` lets the reader leave before the first line is written.
    const args = ['-c', 'sleep 0.3; "$0" "$@"', process.execPath, builtProgram(), option];
    const child = spawn('sh', args, { env: {} });
    child[closed].destroy();
    const other = closed === 'stdout' ? child.stderr : child.stdout;
    let said = '';
    other.on('data', (chunk: Buffer) => (said += String(chunk)));
    const [code] = await once(child, 'close');
    expect(said).toBe('');
    expect(code).toBe(expected);
  },
);

test('a signal stops an ingest that follows a log, and what it read is kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-followed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const log = join(folder, 'access.log');
  await writeFile(
    log,
    '20.171.206.7 - - [20/Nov/2026:12:00:00 +0000] "GET /followed HTTP/1.1" 200 1 "-" "GPTBot/1.3"\n',
  );
  const database = ['--database', `file:${join(folder, 'a.db')}`];
  const create = ['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme'];
  await runCommand([...create, ...database]);
  const place = ['--workspace', 'acme', ...database];
  const { child, ended } = spawnCommand(['hits', 'ingest', log, '--follow', '--no-dns', ...place]);
  const stored = async () => (await runCommand(['export', 'hits', ...place])).stdout;
  while (!(await stored()).includes('/followed')) await sleep(50);
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
  expect(await stored()).toContain('/followed');
});

test.each([
  [['--version'], 250],
  [['hits', 'ingest', '--help'], 700],
])('%j loads few modules', async (words, most) => {
  const count = `import { registerHooks } from 'node:module';
    let count = 0;
    registerHooks({ load: (url, context, next) => (count++, next(url, context)) });
    process.on('exit', () => console.error(count));`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(count)}` };
  const { code, stderr } = await spawnCommand(words, { env }).ended;
  expect(code).toBe(0);
  expect(Number(stderr)).toBeLessThan(most);
});
