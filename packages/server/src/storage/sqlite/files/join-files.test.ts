import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { databaseFiles } from './files.ts';
import type { DatabaseFiles } from './files.ts';

test('the keys of another installation are refused by every command, and stay as they are', async () => {
  const [ours, theirs] = [await installation(), await installation()];
  replaceKeys(ours, theirs);
  for (const command of [
    ['serve', '--port', '0'],
    ['key', 'list'],
    ['backup', `${ours.data}.copy`],
  ]) {
    const { code, stderr } = await runCommand([...command, '--database', ours.data]);
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(/^\S+ and \S+ belong to different installations\. [^\n]+\n$/);
  }
  const doctor = await runCommand(['doctor', '--database', ours.data]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/^problem +pair /m);
  // Their own data makes them whole again.
  copyFileSync(theirs.data, ours.data);
  expect(await runCommand(['key', 'list', '--database', ours.data])).toMatchObject({ code: 0 });
});

test('new installations without a workspace are distinguished, too', async () => {
  const [ours, theirs] = [await installation({ isEmpty: true }), await installation()];
  replaceKeys(theirs, ours);
  const { code, stderr } = await runCommand(['key', 'list', '--database', theirs.data]);
  expect(code).toBe(1);
  expect(stderr).toContain('belong to different installations');
});

test('an empty file of keys, made for a lost one, joins the data that it was made for', async () => {
  const files = await installation();
  for (const suffix of ['', '-wal', '-shm']) rmSync(files.access + suffix, { force: true });
  const made = await runCommand(['doctor', '--new-keys-file', '--database', files.data]);
  expect(made.code, made.stdout).toBe(0);
  const other = await installation();
  await runCommand(['key', 'list', '--database', files.data]);
  replaceKeys(other, files);
  expect(await runCommand(['key', 'list', '--database', other.data])).toMatchObject({ code: 1 });
});

/** A database with a workspace and a key. */
async function installation({ isEmpty = false } = {}): Promise<DatabaseFiles> {
  const { data } = newFiles();
  const at = ['--database', data];
  if (isEmpty) await runCommand(['ranges', 'list', ...at]);
  await runCommand(['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme', ...at]);
  if (isEmpty) await runCommand(['workspace', 'remove', 'acme', '--yes', ...at]);
  else await runCommand(['key', 'create', '--workspace', 'acme', ...at]);
  return databaseFiles(data);
}

function newFiles(): DatabaseFiles {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-pair-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return databaseFiles(join(folder, 'overheard.db'));
}

/** Puts the keys of one installation beside the data of another. */
function replaceKeys(of: DatabaseFiles, by: DatabaseFiles): void {
  copyFileSync(by.access, of.access);
}
