import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import type { Create } from '../../../../test/stores/stores.ts';
import { sqlitePath } from '../../../storage/open/database-url.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const answers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      prompt: `Question ${index % 50}?`,
      engine: 'chatgpt',
      run_at: new Date(Date.UTC(2026, 9, 1) + index * 60_000).toISOString(),
      answer: index % 3 === 0 ? 'Acme, then Globex.' : 'Globex is the usual choice.',
    }),
  );

/** A workspace on a fresh database, a file of answers, and the command line that imports it. */
async function setUp(create: Create, lines: readonly string[]) {
  const url = await create();
  const workspace = ['--workspace', 'acme', '--database', url];
  const made = ['workspace', 'create', 'acme', '--name', 'A', '--brand', 'Acme'];
  await runCommand([...made, '--database', url]);
  await runCommand(['subject', 'add', 'Globex', ...workspace]);
  const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'answers.ndjson');
  await writeFile(file, lines.join('\n'));
  return { url, args: ['answers', 'import', file, ...workspace] };
}

/** Rows of all that answers become. */
async function counts(url: string): Promise<number[]> {
  const store = await openStore(url);
  try {
    const found: number[] = [];
    for (const table of ['prompts', 'runs', 'answers', 'detections', 'scores'] as const) {
      const query = store.reader
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('n'));
      found.push((await query.executeTakeFirstOrThrow()).n);
    }
    return found;
  } finally {
    await store.close();
  }
}

eachDatabase({ title: 'large files of answers', onBoth: true }, (create, dialect) => {
  test(
    'one bad row at the end refuses a file of 20,000 answers by its line and field',
    { tags: ['long'] },
    async () => {
      const lines = answers(20_000);
      const { url, args } = await setUp(create, [...lines.slice(1), '{"prompt":"x","engine":"A"}']);
      const { code, stderr } = await runCommand(args);
      expect(code).toBe(1);
      expect(stderr).toContain('answers.ndjson:20000: field "engine": expected a lower-case slug');
      expect(stderr).toContain('answers.ndjson:20000: field "run_at": expected a moment');
      expect(stderr).toContain('Nothing was imported.');
      expect(await counts(url)).toEqual([0, 0, 0, 0, 0]);
    },
  );

  // PostgreSQL ends the transaction of a connection that is gone.
  test.runIf(dialect === 'sqlite')('a killed import has written all or nothing', async () => {
    const { url, args } = await setUp(create, answers(3000));
    const whole = [50, 3000, 3000, 6000, 3];
    const begin = performance.now();
    for (const moment of ['at its first write', 'at random']) {
      const { child, ended } = spawnCommand(args);
      const exited = once(child, 'exit').then(() => true);
      const killed =
        moment === 'at random'
          ? setTimeout((performance.now() - begin) * (0.8 + Math.random() / 2))
          : firstWrite(sqlitePath(url), child);
      await Promise.race([exited, killed]);
      child.kill('SIGKILL');
      await ended;
      expect([[0, 0, 0, 0, 0], whole], moment).toContainEqual(await counts(url));
      const handle = new DatabaseSync(sqlitePath(url));
      expect(handle.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      handle.close();
    }
    expect(await runCommand(args)).toMatchObject({ code: 0 });
    expect(await counts(url)).toEqual(whole);
  });
});

/** Waits until a process, still running, has written to the journal beside the file. */
async function firstWrite(path: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const { size } = await stat(`${path}-wal`).catch(() => ({ size: 0 }));
    if (size > 0) return;
    await setTimeout(2);
  }
}
