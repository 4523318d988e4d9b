import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';
import { startServer } from '../../../../test/servers/server-process.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

test.each([
  [['--port', '65536']],
  [['--quota', '-1']],
  [['--trust-proxy', 'banana']],
  [['--public-url', 'ftp://example.com']],
  [['--database', 'mysql://example.com/x']],
  [['--drain-seconds', '0']],
])('%j is wrong usage: a sentence, and 2', async (options) => {
  const { code, stderr } = await runCommand(['serve', '--port', '0', ...options]);
  expect(code, stderr).toBe(2);
  expect(stderr).toMatch(/^\S.*/);
  expect(stderr).not.toContain('bug');
});

eachDatabase('overheard serve', (create) => {
  test('overheard serve says on stderr where it listens and what to do next, and stops with 0', async () => {
    const server = await startServer(await create(), [
      '--trust-proxy',
      '10.0.0.0/8, ::1',
      '--log-level',
      'silent',
    ]);
    const response = await fetch(`${server.url}/readyz`);
    expect(await response.json()).toEqual({ status: 'ready' });
    const { code, stdout, stderr } = await server.stop();
    expect(code).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain(`Overheard listens on ${server.url}\n`);
    expect(stderr).toContain('where you make your first workspace: http');
    expect(stderr).toContain('overheard key create');
    expect(stderr).toContain(`${server.url}/api/v1/scores`);
  });

  test('overheard serve does not listen if its threads cannot start', async () => {
    const broken =
      "import { isMainThread } from 'node:worker_threads'; if (!isMainThread) throw new Error('broken')";
    const { ended } = spawnCommand(
      ['serve', '--port', '0', '--create', '--database', await create()],
      {
        env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(broken)}` },
      },
    );
    const { code, stderr } = await ended;
    expect(code).not.toBe(0);
    expect(stderr).not.toContain('listens on');
  });
});

test(
  'a database that was named and is not there is created with --create only, and its path is said',
  { tags: ['long'] },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'overheard-serve-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'new', 'overhaerd.db');
    const serve = ['serve', '--port', '0', '--log-level', 'silent'];
    for (const refusing of [
      await spawnCommand([...serve, '--database', path]).ended,
      await spawnCommand(serve, { env: { OVERHEARD_DATABASE: path } }).ended,
    ]) {
      expect(refusing).toMatchObject({ code: 1, stdout: '' });
      expect(refusing.stderr).toMatch(/^There is no database at [^\n]+--create[^\n]+\n$/);
      expect(refusing.stderr).toContain(path);
    }
    expect(readdirSync(folder)).toEqual([]);

    const created = await startServer(path, ['--log-level', 'silent']);
    const first = await created.stop();
    expect(first.stderr).toContain(`Created the database ${path}\n`);
    const again = await startServer(path, ['--log-level', 'silent']);
    expect((await again.stop()).stderr).not.toContain('Created');
  },
);

test(
  'a server removes the lines that an earlier one had not finished writing',
  { tags: ['long'] },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'overheard-serve-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const spool = join(folder, 'overheard.spool');
    await mkdir(spool);
    await writeFile(join(spool, '0.receiver.part'), 'li');
    for (const options of [[], ['--spool', spool]]) {
      const server = await startServer(join(folder, 'overheard.db'), options);
      expect((await server.stop()).code).toBe(0);
      expect(readdirSync(spool)).toEqual([]);
    }
  },
);
