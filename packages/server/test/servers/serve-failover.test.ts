import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/storage/open/open-store.ts';
import { newTenant } from './api.ts';
import { runCommand } from '../commands/command-line.ts';
import { startPostgres } from '../stores/postgres.ts';
import { startServer } from './server-process.ts';

test('a standby serves reads uncounted and refuses writes in a sentence; once promoted, it serves both', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const store = await openStore(postgres.url, { mayCreate: true });
  const { key, slug } = await newTenant(store, { clock: Date.now });
  await store.close();
  const server = await startServer(postgres.url);
  const ask = async () => {
    const response = await fetch(`${server.url}/api/v1/prompts`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.text();
    return { status: response.status, isCounted: response.headers.has('ratelimit') };
  };
  expect(await ask()).toEqual({ status: 200, isCounted: true });

  const [folder] = await select(postgres.url, 'show data_directory');
  await postgres.halt();
  expect(await ask()).toMatchObject({ status: 503 });
  writeFileSync(join(folder ?? '', 'standby.signal'), '');
  await postgres.start();
  await expect.poll(ask).toEqual({ status: 200, isCounted: false });
  const create = ['key', 'create', '--workspace', slug, '--database', postgres.url];
  expect(await runCommand(create)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The database is read-only: it is a standby, or its settings forbid writing. Name the primary in --database.\n',
  });
  const doctor = await runCommand(['doctor', '--database', postgres.url]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/^problem +permissions +The database is read-only/m);

  expect(await select(postgres.url, 'select pg_promote()::text')).toEqual(['true']);
  await expect.poll(ask).toEqual({ status: 200, isCounted: true });
  expect(await runCommand(create)).toMatchObject({ code: 0 });
  expect(await server.stop()).toMatchObject({ code: 0 });
});

/** The first column. */
async function select(url: string, statement: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<string[]>({ text: statement, rowMode: 'array' });
  await client.end();
  return rows.flat();
}
