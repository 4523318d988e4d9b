import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { firstWrite } from '../../../../test/commands/first-write.ts';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';
import { least } from '../../../../test/answers/importing.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import type { Create } from '../../../../test/stores/stores.ts';
import { sqlitePath } from '../../../storage/open/database-url.ts';

const rowsCount = 2000;

/** A workspace on a fresh database, a file of hits, and the command line that imports it. */
async function setUp(create: Create) {
  const database = ['--database', await create()];
  await runCommand(['workspace', 'create', 'acme', '--name', 'A', '--brand', 'A', ...database]);
  const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'hits.ndjson');
  const lines = Array.from({ length: rowsCount }, (_, index) =>
    JSON.stringify({ ...least.hits, path: `/${index}` }),
  );
  await writeFile(file, lines.join('\n'));
  const args = ['import', 'hits', file, '--workspace', 'acme', ...database];
  const count = async (): Promise<number> => {
    const { stdout } = await runCommand([
      'export',
      'hits',
      '--workspace',
      'acme',
      '--format',
      'csv',
      ...database,
    ]);
    return stdout.split('\n').length - 2;
  };
  return { args, count, database: database[1] ?? '' };
}

eachDatabase({ title: 'imports in processes of their own', onBoth: true }, (create, dialect) => {
  test('two simultaneous imports of one file count each row as new once', async () => {
    const { args, count } = await setUp(create);
    const outcomes = await Promise.all([spawnCommand(args).ended, spawnCommand(args).ended]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(outcomes.map(({ stderr }) => stderr).toSorted()).toEqual([
      expect.stringContaining('0 new, 0 changed, 2,000 unchanged'),
      expect.stringContaining('2,000 new, 0 changed, 0 unchanged'),
    ]);
    expect(await count()).toBe(rowsCount);
  });

  // PostgreSQL ends the transaction of a connection that is gone.
  test.runIf(dialect === 'sqlite')('a killed import has imported all or nothing', async () => {
    const { args, count, database } = await setUp(create);
    const path = sqlitePath(database);
    const { child, ended } = spawnCommand(args);
    await firstWrite(path, child);
    child.kill('SIGKILL');
    await ended;
    expect([0, rowsCount]).toContain(await count());
    const handle = new DatabaseSync(path);
    expect(handle.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    handle.close();
    expect(await runCommand(args)).toMatchObject({ code: 0 });
    expect(await count()).toBe(rowsCount);
  });

  test(
    'Ctrl-C stops an import with a sentence, and nothing is imported',
    { tags: ['once'] },
    async () => {
      const { args, count } = await setUp(create);
      const { child, ended } = spawnCommand(args.with(2, '-'));
      child.stdin.on('error', () => {});
      // More than a pipe holds: once it is taken, the import reads. The pipe stays open.
      const begun = `${JSON.stringify(least.hits)}\n`.repeat(5000);
      await new Promise<void>((resolve) => child.stdin.write(begun, () => resolve()));
      child.kill('SIGINT');
      expect(await ended).toEqual({
        code: 130,
        stdout: '',
        stderr: 'Stopped.\nNothing was imported.\n',
      });
      expect(await count()).toBe(0);
    },
  );
});
