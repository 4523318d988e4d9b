import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { accessMigrations, dataMigrations } from '../../migrations/all-migrations.ts';
import { databaseFiles } from './files.ts';
import type { DatabaseFiles } from './files.ts';
import { openHandle } from '../handle.ts';
import { migrateFile } from '../migrate.ts';

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

test('files of the version before are taken as a pair if their keys are of their workspaces, and then belong together', async () => {
  const [ours, theirs] = [await older('acme'), await older('globex')];
  // Looking does not join them.
  expect((await runCommand(['doctor', '--database', ours.data])).stdout).toMatch(/^ok +pair /m);
  for (const { data } of [ours, theirs]) {
    expect(await runCommand(['key', 'list', '--database', data])).toMatchObject({ code: 0 });
  }
  replaceKeys(ours, theirs);
  const { code, stderr } = await runCommand(['key', 'list', '--database', ours.data]);
  expect(code).toBe(1);
  expect(stderr).toContain('belong to different installations');
});

test('files of the version before are refused if no key is of a workspace of the data', async () => {
  const [ours, theirs] = [await older('acme'), await older('globex')];
  replaceKeys(ours, theirs);
  const { code, stderr } = await runCommand(['key', 'list', '--database', ours.data]);
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

/** Files of the schema before they had an id, with a workspace and its key. */
async function older(workspaceId: string): Promise<DatabaseFiles> {
  const files = newFiles();
  await migrateFile(files.access, accessMigrations.slice(0, 1));
  await migrateFile(files.data, dataMigrations.slice(0, 3));
  const access = openHandle(files.access);
  access
    .prepare(
      `insert into keys (id, workspace_id, name, hash, last_four, created_at)
       values (?, ?, '', ?, 'abcd', '2026-11-20T00:00:00.000Z')`,
    )
    .run(workspaceId, workspaceId, workspaceId);
  access.close();
  const data = openHandle(files.data);
  const columns = data
    .prepare("select name from pragma_table_info('workspaces')")
    .all()
    .map(({ name }) => String(name));
  data
    .prepare(
      `insert into workspaces (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    .run(...columns.map(() => workspaceId));
  data.close();
  return files;
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
