import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { openHandle } from '../../../storage/sqlite/handle.ts';

const printed = z.object({ database: z.string(), replaced: z.string() });
const owner = ['--name', 'Acme', '--brand', 'Acme'];

test('a restored backup is the database of its moment, keys included, and the database of before can be restored', async () => {
  const { backup, run, subjects } = await backedUp();
  const key = (await run('key', 'create', '--workspace', 'acme')).stdout.trim();
  await run('backup', '--force', backup);
  const before = (await run('key', 'list', '--json')).stdout;
  await run('key', 'revoke', key);
  const after = (await run('key', 'list', '--json')).stdout;
  await run('subject', 'add', 'Globex', '--workspace', 'acme');

  const restored = await run('restore', backup, '--json');
  expect(restored, restored.stderr).toMatchObject({ code: 0 });
  expect((await run('key', 'list', '--json')).stdout).toBe(before);
  expect(await subjects()).not.toContain('Globex');
  const { replaced } = printed.parse(JSON.parse(restored.stdout));
  expect(await run('restore', replaced)).toMatchObject({ code: 0 });
  expect((await run('key', 'list', '--json')).stdout).toBe(after);
  expect(await subjects()).toContain('Globex');
});

test('a database that a server has open is not replaced', async () => {
  const { backup, url, folder, run, subjects } = await backedUp();
  await run('subject', 'add', 'Globex', '--workspace', 'acme');
  const store = await openStore(url);
  const refused = await run('restore', backup);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toMatch(/overheard(\.access)?\.db is in use\. Nothing was changed\./);
  await store.close();
  expect(await subjects()).toContain('Globex');
  expect(readdirSync(folder).filter((name) => name.includes('restore'))).toEqual([]);
});

test('a backup replaces a damaged database, a missing one, and one of another installation', async () => {
  const { backup, path, folder, run, subjects } = await backedUp();
  truncateSync(path, 5000);
  expect(await run('restore', backup)).toMatchObject({ code: 0 });
  expect(await subjects()).toContain('Acme');
  await rm(path);
  expect(await run('restore', backup)).toMatchObject({ code: 0 });
  expect(await subjects()).toContain('Acme');
  const other = `file:${join(folder, 'other', 'overheard.db')}`;
  await runCommand(['workspace', 'create', 'other', ...owner, '--database', other]);
  expect(await runCommand(['restore', backup, '--database', other])).toMatchObject({ code: 0 });
  const list = await runCommand(['workspace', 'list', '--database', other]);
  expect(list.stdout).toContain('acme');
});

test('--keep-ledger leaves the ledger of paid questions where it is', async () => {
  const { backup, folder, run } = await backedUp();
  const ledger = join(folder, 'overheard.ledger.db');
  const engine = ['own_api', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'm', '--bound', '0'];
  await run('engine', 'add', ...engine);
  await run('budget', 'set', '--workspace', 'acme', '--day', '5', '--month', '50');
  expect(existsSync(ledger)).toBe(true);
  await run('backup', '--force', backup);
  await run('budget', 'set', '--workspace', 'acme', '--day', '7', '--month', '50');
  const budget = async () => (await run('budget', 'show', '--workspace', 'acme', '--json')).stdout;
  const present = await budget();
  await run('restore', backup, '--keep-ledger');
  expect(await budget()).toBe(present);
  const restored = await run('restore', backup, '--json');
  expect(await budget()).not.toBe(present);

  // The ledger that was replaced knows nothing of what was asked since, so it asks nothing either.
  const { replaced } = printed.parse(JSON.parse(restored.stdout));
  const reasonIn = (path: string) => {
    const database = openHandle(path, { isReadOnly: true });
    const reason = database.prepare('select off_reason from paces').get()?.['off_reason'];
    database.close();
    return reason;
  };
  expect(reasonIn(join(replaced, 'overheard.ledger.db'))).toBeNull();
  expect(await run('restore', replaced)).toMatchObject({ code: 0 });
  expect(await budget()).toBe(present);
  expect(reasonIn(ledger)).toBe('restored');
});

test('what is no whole backup is refused, and nothing is changed', async () => {
  const { backup, folder, run, subjects } = await backedUp();
  await run('subject', 'add', 'Globex', '--workspace', 'acme');
  const half = join(folder, 'half');
  mkdirSync(half);
  copyFileSync(join(backup, 'overheard.db'), join(half, 'overheard.db'));
  const foreign = join(folder, 'foreign');
  mkdirSync(foreign);
  for (const name of ['overheard.db', 'overheard.access.db'])
    writeFileSync(join(foreign, name), 'x');
  const cut = join(folder, 'cut');
  mkdirSync(cut);
  for (const name of readdirSync(backup)) copyFileSync(join(backup, name), join(cut, name));
  truncateSync(join(cut, 'overheard.db'), 8192);
  for (const from of [half, foreign, cut, folder, join(folder, 'none')]) {
    expect((await run('restore', from)).code, from).not.toBe(0);
  }
  expect(await subjects()).toContain('Globex');
  expect(readdirSync(folder).filter((name) => name.includes('restore'))).toEqual([]);
});

/** A database with the workspace acme in a folder of its own, and its backup. */
async function backedUp() {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-restore-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'overheard.db');
  const url = `file:${path}`;
  const run = (...words: readonly string[]) => runCommand([...words, '--database', url]);
  const subjects = async () => (await run('subject', 'list', '--workspace', 'acme')).stdout;
  await run('workspace', 'create', 'acme', ...owner);
  const backup = join(folder, 'backup');
  await run('backup', backup);
  return { folder, path, url, backup, run, subjects };
}
