import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { openHandle } from '../../../storage/sqlite/handle.ts';
import type { Store } from '../../../storage/store.ts';
import { newRevision, writeWorkspace } from '../../../storage/write.ts';

const owner = ['--name', 'Acme', '--brand', 'Acme'];

test('a backup during an import has the state before the import, and does not stop it', async () => {
  const { folder, url, run } = await database();
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const workspaceId = await onlyWorkspace(store);
  const backup = join(folder, 'backup');
  await writeWorkspace(store, workspaceId, async (transaction) => {
    await transaction
      .insertInto('prompts')
      .values(prompt(workspaceId, 'in the transaction'))
      .execute();
    expect(await run('backup', backup)).toMatchObject({ code: 0 });
    return { hasChanged: true };
  });
  expect(await promptTexts(store)).toEqual(['in the transaction']);
  const copy = await openStore(join(backup, 'overheard.db'));
  onTestFinished(() => copy.close());
  expect(await promptTexts(copy)).toEqual([]);
});

test('keys and counters of workspaces that the copied data does not have are left out', async () => {
  const { folder, url, run } = await database();
  await run('key', 'create', '--workspace', 'acme');
  const store = await openStore(url);
  const [key] = await store.access.selectFrom('keys').selectAll().execute();
  if (key === undefined) throw new Error('There is a key');
  await store.access
    .insertInto('keys')
    .values({ ...key, id: 'other', hash: 'other', workspace_id: 'gone' })
    .execute();
  await store.admit({ workspaceId: 'gone', endpoint: 'scores', quota: 300, windowSeconds: 3600 });
  await store.close();

  await run('backup', join(folder, 'backup'));
  const copy = await openStore(join(folder, 'backup', 'overheard.db'));
  onTestFinished(() => copy.close());
  expect(await copy.access.selectFrom('keys').select('id').execute()).toEqual([{ id: key.id }]);
  expect(await copy.access.selectFrom('quota_log').select('endpoint').execute()).toEqual([]);
});

test('--force replaces no file or folder that is not a backup of ours', async () => {
  const { folder, path, run } = await database();
  const notes = join(folder, 'notes.txt');
  writeFileSync(notes, 'x'.repeat(1000));
  const foreign = join(folder, 'foreign.db');
  const other = openHandle(foreign);
  other.exec('create table notes (text text)');
  other.close();
  // A folder with a database is not a backup, whatever the database is called.
  const living = join(folder, 'living');
  mkdirSync(living);
  copyFileSync(path, join(living, 'overheard.db'));
  const linked = join(folder, 'linked');
  symlinkSync(living, linked);
  const withMore = join(folder, 'with-more');
  expect(await run('backup', withMore)).toMatchObject({ code: 0 });
  writeFileSync(join(withMore, 'notes.txt'), 'mine');
  for (const target of [notes, foreign, living, linked, withMore]) {
    const { code, stderr } = await run('backup', '--force', target);
    expect(code, stderr).toBe(1);
    expect(stderr).toBe(
      `${target} is not a backup of Overheard: it was not replaced. Name another folder.\n`,
    );
  }
  expect(readFileSync(notes, 'utf8')).toBe('x'.repeat(1000));
  expect(readdirSync(living)).toEqual(['overheard.db']);
});

test('an older backup in two files is not replaced, and is still read as a database', async () => {
  const { folder, path, run } = await database();
  for (const suffix of ['.db', '.access.db']) {
    copyFileSync(path.replace(/\.db$/, suffix), join(folder, `older${suffix}`));
  }
  const older = join(folder, 'older.db');
  const { code, stderr } = await run('backup', '--force', older);
  expect(code).toBe(1);
  expect(stderr).toContain('an older backup in two files: it was not replaced');
  expect((await runCommand(['workspace', 'list', '--database', older])).stdout).toContain('acme');
});

test('an older backup is replaced with --force only, and all of its files are', async () => {
  const { folder, run } = await database();
  const backup = join(folder, 'backup');
  const contents = () =>
    readdirSync(backup).map((name) => readFileSync(join(backup, name)).toString('base64'));
  await run('backup', backup);
  const first = contents();
  await run('key', 'create', '--workspace', 'acme');
  await run('subject', 'add', 'Globex', '--workspace', 'acme');
  const refused = await run('backup', backup);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('--force');
  expect(contents()).toEqual(first);
  expect(await run('backup', '--force', backup)).toMatchObject({ code: 0 });
  for (const [place, content] of contents().entries()) expect(content).not.toBe(first[place]);
});

test.skipIf(process.platform === 'win32')(
  'a database, its folder and a backup are for their user alone, whatever the umask is',
  async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const { folder } = await database();
    const path = join(folder, 'new', 'folder', 'overheard.db');
    const url = `file:${path}`;
    await runCommand(['workspace', 'create', 'acme', ...owner, '--database', url]);
    const backup = join(folder, 'backup');
    const store = await openStore(url);
    onTestFinished(() => store.close());
    await store.admit({ workspaceId: 'w', endpoint: 'scores', quota: 1, windowSeconds: 3600 });
    await runCommand(['backup', backup, '--database', url]);
    const modes = new Map<string, string>();
    for (const made of [join(folder, 'new'), join(folder, 'new', 'folder'), backup]) {
      modes.set(basename(made), modeOf(made));
      for (const name of readdirSync(made)) modes.set(name, modeOf(join(made, name)));
    }
    expect([...modes.keys()]).toContain('overheard.access.db-wal');
    for (const [name, mode] of modes) {
      expect(`${name} ${mode}`).toBe(`${name} ${/^(new|folder|backup)$/.test(name) ? 700 : 600}`);
    }
  },
);

test('the database itself is never a target, by whatever name', async () => {
  const { folder, path, run } = await database();
  linkSync(path, join(folder, 'linked.db'));
  for (const target of [path, join(folder, 'linked.db'), folder]) {
    expect(await run('backup', '--force', target)).toMatchObject({ code: 2 });
  }
  expect((await run('workspace', 'list')).stdout).toContain('acme');
});

test('a backup that fails leaves nothing behind', async () => {
  const { folder, path, run } = await database();
  const before = readdirSync(folder).toSorted();
  const stopped = await run('backup', join(folder, 'backup'), {
    signal: AbortSignal.abort('SIGINT'),
  });
  expect(stopped).toMatchObject({ code: 130, stderr: 'Stopped: no backup was written.\n' });
  expect((await run('backup', join(folder, 'no', 'folder'))).code).toBe(1);
  expect(databaseOnly(folder)).toEqual(before.filter(isDatabase));

  // A page in the middle is overwritten: the copy is made, and fails its check.
  mergeLog(path);
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4096 * 3, 4096 * 4);
  writeFileSync(path, bytes);
  const damaged = await run('backup', join(folder, 'backup'));
  expect(damaged.code).toBe(1);
  expect(damaged.stderr).toContain('damaged');
  expect(databaseOnly(folder)).toEqual(before.filter(isDatabase));
});

test('for PostgreSQL the command for pg_dump is shown, without the password', async () => {
  const url = 'postgres://user:secret@db.example/overheard';
  const outcome = await runCommand(['backup', 'my backup.dump', '--database', url]);
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toContain("--file='my backup.dump' postgres://user@db.example/overheard");
  expect(outcome.stderr).not.toContain('secret');
});

/** A database with the workspace acme in a folder of its own. */
async function database() {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'overheard.db');
  const url = `file:${path}`;
  const run = (...words: ReadonlyArray<string | { signal: AbortSignal }>): Promise<Outcome> => {
    const args = words.filter((word) => typeof word === 'string');
    const options = words.find((word) => typeof word !== 'string') ?? {};
    return runCommand([...args, '--database', url], options);
  };
  await run('workspace', 'create', 'acme', ...owner);
  return { folder, path, url, run };
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

async function onlyWorkspace(store: Store): Promise<string> {
  const { id } = await store.reader.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
  return id;
}

async function promptTexts(store: Store): Promise<string[]> {
  const rows = await store.reader.selectFrom('prompts').select('text').execute();
  return rows.map(({ text }) => text);
}

function prompt(workspaceId: string, text: string) {
  return {
    workspace_id: workspaceId,
    id: newRevision(),
    text,
    language: 'en',
    locale: 'en-US',
    active: true,
    created_at: '2026-11-20T00:00:00.000Z',
  };
}

/** Has everything in the file itself. */
function mergeLog(path: string): void {
  const handle = openHandle(path);
  handle.exec('pragma wal_checkpoint(truncate)');
  handle.close();
}

/** All files but the write-ahead log, which comes and goes. */
function databaseOnly(folder: string): string[] {
  return readdirSync(folder).filter(isDatabase).toSorted();
}

function isDatabase(name: string): boolean {
  return !/-(wal|shm)$/.test(name);
}
