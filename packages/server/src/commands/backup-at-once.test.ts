import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand, spawnCommand } from '../../test/command-line.ts';
import type { Outcome } from '../../test/command-line.ts';
import { openStore } from '../storage/open.ts';
import { lockBackup } from '../storage/sqlite/backup-lock.ts';

test('a backup to a name at which another process makes one is refused, with or without --force', async () => {
  const { target, databases, names } = await twoDatabases();
  const unlock = lockBackup(target);
  for (const options of [[], ['--force']]) {
    const refused = await backup(databases[0], target, options);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^Another backup to .*backup\.db is being made just now[^\n]+\n$/,
    );
  }
  expect(names()).toEqual(['backup.db.being-made']);
  unlock();
  expect(await backup(databases[0], target, [])).toMatchObject({ code: 0 });
  expect(names()).toEqual(['backup.access.db', 'backup.db']);
});

test('a process that was killed while it made a backup keeps its name from nobody', async () => {
  const { target, databases, names } = await twoDatabases();
  const lockModule = new URL('../storage/sqlite/backup-lock.ts', import.meta.url).href;
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `const { lockBackup } = await import(${JSON.stringify(lockModule)});
     const unlock = lockBackup(${JSON.stringify(target)});
     console.log('held');
     // What nobody refers to any more is closed.
     setInterval(() => unlock, 1000);`,
  ]);
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  expect(() => lockBackup(target)).toThrow('being made just now');
  holder.kill('SIGKILL');
  await once(holder, 'close');
  expect(names()).toEqual(['backup.db.being-made']);
  expect(await backup(databases[0], target, [])).toMatchObject({ code: 0 });
  expect(names()).toEqual(['backup.access.db', 'backup.db']);
});

test('of backups of two databases to one name at once the pair is of one', async () => {
  const { target, databases, names } = await twoDatabases();
  for (let round = 0; round < 3; round += 1) {
    const outcomes = await Promise.all(
      databases.map((database) => backup(database, target, ['--force'])),
    );
    const failed = outcomes.filter(({ code }) => code !== 0);
    expect(failed.length).toBeLessThan(databases.length);
    for (const { stderr } of failed) expect(stderr).toContain('being made just now');
    expect(names()).toEqual(['backup.access.db', 'backup.db']);
    const copy = await openStore(target);
    const workspaces = await copy.reader.selectFrom('workspaces').select('id').execute();
    const keys = await copy.access.selectFrom('keys').select('workspace_id as id').execute();
    await copy.close();
    expect(keys).toEqual(workspaces);
  }
});

/** Backs up in a process of its own. */
function backup(database: string, target: string, options: readonly string[]): Promise<Outcome> {
  return spawnCommand(['backup', target, '--database', database, ...options]).ended;
}

/** Two databases, each with a workspace and a key, and the name of a backup in another folder. */
async function twoDatabases() {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-at-once-'));
  const backups = await mkdtemp(join(tmpdir(), 'overheard-at-once-'));
  onTestFinished(async () => {
    for (const made of [folder, backups]) await rm(made, { recursive: true, force: true });
  });
  const databases = ['one', 'two'].map((name) => `file:${join(folder, `${name}.db`)}`);
  for (const database of databases) {
    const brand = ['--name', 'Acme', '--brand', 'Acme', '--database', database];
    await runCommand(['workspace', 'create', 'acme', ...brand]);
    await runCommand(['key', 'create', '--workspace', 'acme', '--database', database]);
  }
  const [first = '', second = ''] = databases;
  return {
    target: join(backups, 'backup.db'),
    databases: [first, second] as const,
    names: () => readdirSync(backups).toSorted(),
  };
}
