import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from './postgres.ts';

test('a halted server refuses connections, and started again has its data and its address', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  await query(server.url, 'create table kept (n integer)');
  await server.halt();
  await expect(query(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  await server.start();
  expect(await query(server.url, 'select * from kept')).toEqual([]);
  await server.restart();
  expect(await query(server.url, 'select * from kept')).toEqual([]);
});

test('a server ends and its folder goes when the process that started it is killed', async () => {
  const module = fileURLToPath(new URL('./postgres.ts', import.meta.url));
  const script = `
    import { startPostgres } from ${JSON.stringify(module)};
    const { url } = await startPostgres();
    process.stdout.write(url);
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [url] = await once(owner.stdout, 'data');
  const [row] = await query(String(url), 'show data_directory');
  expect(existsSync(row.data_directory)).toBe(true);
  owner.kill('SIGKILL');
  await expect.poll(() => existsSync(row.data_directory)).toBe(false);
  await expect(query(String(url), 'select 1')).rejects.toThrow('ECONNREFUSED');
});

async function query(url: string, statement: string) {
  const client = new Client({ connectionString: url });
  // The server's end is what these tests are about.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
