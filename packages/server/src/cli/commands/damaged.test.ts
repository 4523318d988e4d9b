import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call, newTenant, startApi } from '../../../test/servers/api.ts';
import { runCommand } from '../../../test/commands/command-line.ts';
import { aRun, idOf, writeRows } from '../../../test/stores/rows.ts';
import { startServer } from '../../../test/servers/server-process.ts';
import { openStore } from '../../storage/open/open-store.ts';
import { databaseFiles } from '../../storage/sqlite/files/files.ts';
import { openHandle } from '../../storage/sqlite/handle.ts';
import { refusalWords } from '../../refusals.ts';

const pageBytes = 4096;

test('damage that a request meets is 503 for it and all that follow, and fails readiness', async () => {
  const { path, key } = await database();
  fillPages(path, pagesOf(path, 'prompts'), 0xff);
  const damages: string[] = [];
  const store = await openStore(path, { onDamage: (error) => damages.push(refusalWords(error)) });
  onTestFinished(() => store.close());
  const api = await startApi(store);
  expect((await call(api, '/api/v1/scores', { key })).statusCode).toBe(200);
  expect((await call(api, '/readyz')).statusCode).toBe(200);
  for (const target of ['/api/v1/prompts', '/api/v1/scores', '/readyz']) {
    const response = await call(api, target, { key });
    expect(response.statusCode, target).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.json()).toMatchObject({ code: 'unavailable' });
    expect(response.body).not.toContain('malformed');
  }
  expect((await call(api, '/healthz')).statusCode).toBe(200);
  expect(damages).toEqual([expect.stringMatching(/^The database is damaged\. .*doctor/)]);
  const exported = await runCommand([
    'export',
    'prompts',
    '--workspace',
    'acme',
    '--database',
    path,
  ]);
  expect(exported.code).toBe(1);
  expect(exported.stderr).not.toContain('bug');
});

test('damage that no request has met yet fails readiness soon after the start', async () => {
  const { path } = await database();
  fillPages(path, pagesOf(path, 'prompts'), 0xff);
  const server = await startServer(path);
  const status = async () => (await fetch(`${server.url}/readyz`)).status;
  await expect.poll(status, { interval: 50 }).toBe(503);
  const { code, stdout } = await server.stop();
  expect(code).toBe(0);
  expect(stdout).toContain('"msg":"The database is damaged. Stop the server');
});

test('doctor finds an index that does not fit its table, and says how long the whole check takes', async () => {
  const { path } = await database();
  const whole = await runCommand(['doctor', '--database', path]);
  expect(whole.stdout).toMatch(/^ok +integrity +data: \S+, checked whole in \d+\.\d s$/m);
  expect(whole.stdout).toMatch(/^ok +integrity +keys: \S+, checked whole in \d+\.\d s$/m);

  const { access } = databaseFiles(path);
  const handle = openHandle(access);
  const hash = String(handle.prepare('select hash from keys').get()?.['hash']);
  handle.exec('pragma wal_checkpoint(truncate)');
  handle.close();
  const bytes = readFileSync(access);
  const places = [bytes.indexOf(hash), bytes.lastIndexOf(hash)];
  expect(places[0]).not.toBe(places[1]);
  // One bit of the copy in the index, or of the row.
  bytes.writeUInt8(bytes.readUInt8(places[0] ?? 0) ^ 1, places[0]);
  writeFileSync(access, bytes);
  const quick = openHandle(access, { isReadOnly: true });
  expect(quick.prepare('pragma quick_check').get()).toEqual({ quick_check: 'ok' });
  quick.close();
  const found = await runCommand(['doctor', '--database', path]);
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(/^problem +integrity /m);
});

/** A database with prompts on several pages, merged into its file, and a key. */
async function database(): Promise<{ path: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-damaged-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'overheard.db');
  const store = await openStore(path, { mayCreate: true });
  const { workspaceId, key } = await newTenant(store);
  await writeRows(store, workspaceId, { runs: [aRun({ id: idOf(1) })] });
  const columns = 'workspace_id, id, text, language, locale, active, created_at';
  const handle = openHandle(path);
  const insert = handle.prepare(
    `insert into prompts (${columns}) values (?, ?, ?, 'en', 'en-US', 1, '2026-11-20T00:00:00.000Z')`,
  );
  for (let row = 0; row < 200; row += 1) insert.run(workspaceId, idOf(row), 'x'.repeat(400));
  handle.close();
  await store.close();
  return { path, key };
}

/** The pages at which a table and its indexes begin. */
function pagesOf(path: string, table: string): number[] {
  const handle = openHandle(path);
  handle.exec('pragma wal_checkpoint(truncate)');
  const pages = handle
    .prepare(`select rootpage from sqlite_schema where tbl_name = ? and rootpage > 0`)
    .all(table)
    .map(({ rootpage }) => Number(rootpage));
  handle.close();
  return pages;
}

function fillPages(path: string, pages: readonly number[], byte: number): void {
  const bytes = readFileSync(path);
  for (const page of pages) bytes.fill(byte, (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(path, bytes);
}
