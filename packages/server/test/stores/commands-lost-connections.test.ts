import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/storage/open/open-store.ts';
import { newTenant } from '../servers/api.ts';
import { runCommand } from '../commands/command-line.ts';
import { spawnCommand } from '../commands/spawn-command.ts';
import { createPostgres } from './stores.ts';

const inTransaction = `datname = current_database() and application_name = 'overheard' and xact_start is not null`;

test('if the database ends the connection of an import, it says so in a sentence, and the next try succeeds', async () => {
  const url = await createPostgres();
  const store = await openStore(url);
  const { slug } = await newTenant(store, { clock: Date.now });
  await store.close();
  const command = ['answers', 'import', '-', '--workspace', slug, '--database', url];
  const input = lines(1000);

  const { child, ended } = spawnCommand(command);
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const watcher = new Client({ connectionString: url });
  await watcher.connect();
  onTestFinished(() => watcher.end());
  await expect
    .poll(
      async () => {
        const lost = await watcher.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where ${inTransaction} and now() - xact_start > interval '100 milliseconds'`,
        );
        return lost.rows.length;
      },
      { interval: 20 },
    )
    .toBeGreaterThan(0);
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(1);
  expect(stderr).toContain('The connection to the database was lost.');
  expect(stderr).not.toMatch(/unexpected|    at /);
  await setTimeout(100);
  const again = await runCommand(command, { stdin: input });
  expect(again.code, again.stderr).toBe(0);
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
