import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/storage/open/open-store.ts';
import { newTenant } from '../servers/api.ts';
import { runCommand } from '../commands/command-line.ts';
import { spawnCommand } from '../commands/spawn-command.ts';
import { createPostgres } from './stores.ts';

test('if the database ends the connection of an import, it says so in a sentence, and nothing is imported until the next try', async () => {
  const url = await createPostgres();
  const store = await openStore(url);
  const { slug } = await newTenant(store, { clock: Date.now });
  await store.close();
  const command = ['answers', 'import', '-', '--workspace', slug, '--database', url];
  const input = lines(1000);

  // The import waits for this lock when it has written everything else.
  const locking = new Client({ connectionString: url });
  await locking.connect();
  onTestFinished(() => locking.end());
  await locking.query('begin; lock table scores in share mode');
  const { child, ended } = spawnCommand(command);
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  await expect
    .poll(
      async () => {
        const lost = await locking.query(
          `select pg_terminate_backend(pid) from pg_locks
            where not granted and relation = 'scores'::regclass
              and database = (select oid from pg_database where datname = current_database())`,
        );
        return lost.rows.length;
      },
      { interval: 20 },
    )
    .toBe(1);
  await locking.query('rollback');
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(1);
  expect(stderr).toContain('The connection to the database was lost.');
  expect(stderr).not.toMatch(/unexpected|    at /);
  const { rows } = await locking.query(
    'select (select count(*) from prompts) as prompts, (select count(*) from runs) as runs',
  );
  expect(rows).toEqual([{ prompts: '0', runs: '0' }]);
  await setTimeout(100);
  const again = await runCommand(command, { stdin: input });
  expect(again.code, again.stderr).toBe(0);
  expect(again.stderr).toContain('Imported 1000 new runs');
});

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `${JSON.stringify(answer(index))}\n`).join('');
}

function answer(index: number): object {
  return {
    prompt: `Which tool is number ${index % 100}?`,
    language: 'en',
    locale: 'en-US',
    engine: 'chatgpt',
    run_at: new Date(Date.UTC(2026, 9, 1) + index * 60_000).toISOString(),
    answer: `Number ${index}: Bosch and others, as many say.`,
  };
}
