import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { firstWrite } from '../../../../test/commands/first-write.ts';
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
  // PostgreSQL ends the transaction of a connection that is gone.
  test.runIf(dialect === 'sqlite')('a killed import has written all or nothing', async () => {
    const { url, args } = await setUp(create, answers(2000));
    const whole = [50, 2000, 2000, 4000, 2];
    for (const laterMs of [0, 60]) {
      const { child, ended } = spawnCommand(args);
      const exited = once(child, 'exit').then(() => true);
      await Promise.race([exited, firstWrite(sqlitePath(url), child)]);
      await Promise.race([exited, setTimeout(laterMs)]);
      child.kill('SIGKILL');
      await ended;
      expect([[0, 0, 0, 0, 0], whole]).toContainEqual(await counts(url));
      const handle = new DatabaseSync(sqlitePath(url));
      expect(handle.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      handle.close();
    }
    expect(await runCommand(args)).toMatchObject({ code: 0 });
    expect(await counts(url)).toEqual(whole);
  });
});
