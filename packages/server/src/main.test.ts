import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../test/commands/command-line.ts';
import { builtProgram, spawnCommand } from '../test/commands/spawn-command.ts';

test('a reader of stdout that has left is no failure', async () => {
  // The shell's `sleep` lets the reader leave before the first line is written.
  const args = ['-c', 'sleep 0.3; "$0" "$@"', process.execPath, builtProgram(), '--help'];
  const child = spawn('sh', args, { env: {} });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
  const [code] = await once(child, 'close');
  expect([code, said]).toEqual([0, '']);
});

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
