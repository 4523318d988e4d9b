import { once } from 'node:events';
import { readdirSync, renameSync, utimesSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { sqlitePath } from '../../../storage/open/database-url.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { openHandle } from '../../../storage/sqlite/handle.ts';

const pair = ['backup.json', 'overheard.access.db', 'overheard.db'];

test('a backup that is killed leaves only a draft, which a backup a day later removes', async () => {
  const { target, databases, folder, names } = await twoDatabases();
  fill(databases[0]);
  let drafts = 0;
  for (const waitMs of [0, 5, 10, 20, 40, 80]) {
    const { child, ended } = spawnCommand(['backup', `${target}-x`, '--database', databases[0]]);
    // A killed backup is any number of milliseconds old, counted from its first file.
    while (!names().some((name) => name.includes('-x')) && child.exitCode === null) await tick(1);
    await tick(waitMs);
    child.kill('SIGKILL');
    await ended;
    for (const name of names().filter((each) => each.endsWith('.being-made'))) {
      drafts += 1;
      utimesSync(join(folder, name), new Date(0), new Date(0));
    }
    await rm(`${target}-x`, { recursive: true, force: true });
  }
  expect(drafts).toBeGreaterThan(0);
  expect(await backup(databases[0], target, [])).toMatchObject({ code: 0 });
  expect(names()).toEqual(['backup']);
  expect(readdirSync(target)).toEqual(pair);
});

test('a backup that a killed one had put aside stays until its name is given again', async () => {
  const { target, databases, names } = await twoDatabases();
  expect(await backupHere(databases[0], target)).toMatchObject({ code: 0 });
  const aside = 'backup.00000000-0000-4000-8000-000000000000.replaced';
  renameSync(target, join(target, '..', aside));
  expect(await backupHere(databases[1], `${target}-other`)).toMatchObject({ code: 0 });
  expect(names()).toEqual(['backup-other', aside]);
  expect(await backupHere(databases[1], target)).toMatchObject({ code: 0 });
  expect(names()).toEqual(['backup', 'backup-other']);
});

test.each([
  { options: [], failures: [3, 4] },
  { options: ['--force'], failures: [0] },
])(
  'two backups to one name at once leave a pair of files from one database ($options)',
  async ({ options, failures }) => {
    const { target, databases, names } = await twoDatabases();
    for (const expected of failures) {
      const outcomes = await Promise.all(
        [...databases, ...databases].map((database) => backup(database, target, options)),
      );
      const failed = outcomes.filter(({ code }) => code !== 0);
      expect(failed.length, failed.map(({ stderr }) => stderr).join('')).toBe(expected);
      for (const { stderr } of failed) expect(stderr).toContain('is there already');
      expect(names()).toEqual(['backup']);
      expect(readdirSync(target)).toEqual(expect.arrayContaining(pair));
      const copy = await openStore(join(target, 'overheard.db'));
      const workspaces = await copy.reader.selectFrom('workspaces').select('id').execute();
      const keys = await copy.access.selectFrom('keys').select('workspace_id as id').execute();
      await copy.close();
      expect(keys).toEqual(workspaces);
    }
  },
);

function backupHere(database: string, target: string): Promise<Outcome> {
  return runCommand(['backup', target, '--database', database]);
}

/** Backs up in a process of its own. */
function backup(database: string, target: string, options: readonly string[]): Promise<Outcome> {
  return spawnCommand(['backup', target, '--database', database, ...options]).ended;
}

/** Makes a database large enough to be caught while it is copied. */
function fill(database: string): void {
  const handle = openHandle(sqlitePath(database));
  handle.exec('create table filler as select randomblob(50000000) as bytes');
  handle.close();
}

function tick(ms: number): Promise<unknown> {
  return once(AbortSignal.timeout(ms), 'abort');
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
    target: join(backups, 'backup'),
    folder: backups,
    databases: [first, second] as const,
    names: () => readdirSync(backups).toSorted(),
  };
}
