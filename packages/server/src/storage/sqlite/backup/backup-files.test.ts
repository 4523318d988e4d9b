import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type * as Fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backupFiles } from './backup-files.ts';
import { databaseFiles } from '../files/files.ts';
import type { DatabaseFiles } from '../files/files.ts';
import { openHandle } from '../handle.ts';
import { migrateFiles } from '../migrate.ts';

const clock = (): number => Date.parse('2026-11-20T12:34:56.789Z');

test('a backup is on the disk, each part of it, before what it replaces goes', async () => {
  const { from, target } = await database();
  await backupFiles(from, target, { clock });
  const { done, watchedBackup } = await watchFiles();
  await watchedBackup(from, target, { clock, mayReplace: true });
  expect(done).toEqual([
    'sync backup.json',
    'sync overheard.access.db',
    'sync overheard.db',
    'sync backup.being-made',
    'rename backup',
    'rename backup.replaced',
    'rename backup',
    'sync overheard-backup',
    'remove backup.replaced',
  ]);
});

test('a backup is of one moment, whatever is written while it is copied', async () => {
  const { from, target } = await database();
  const writer = openHandle(from.data);
  onTestFinished(() => writer.close());
  const insert = writer.prepare(
    `insert into prompts (workspace_id, id, text, language, locale, active, created_at)
     values ('w', ?, ?, 'en', 'en-US', 1, '2026-11-20T00:00:00.000Z')`,
  );
  // Several steps of copying.
  for (let row = 0; row < 200; row += 1) insert.run(`before ${row}`, 'x'.repeat(100_000));
  const shares: number[] = [];
  await backupFiles(from, target, {
    clock,
    onProgress: (share) => {
      shares.push(share);
      insert.run(`during ${shares.length}`, 'x'.repeat(100_000));
    },
  });
  expect(shares.length).toBeGreaterThan(2);
  const copy = openHandle(join(target, 'overheard.db'), { isReadOnly: true });
  onTestFinished(() => copy.close());
  expect(copy.prepare('select count(*) as count from prompts').get()).toEqual({ count: 200 });
});

test('a backup that another has made meanwhile is replaced with --force only', async () => {
  const { from, target } = await database();
  const writer = openHandle(from.data);
  // Several steps of copying.
  writer.exec('create table filler as select randomblob(10000000) as bytes');
  writer.close();
  const onProgress = (): void => {
    // After the name was looked at; what was seen then is of the past.
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target);
    writeFileSync(join(target, 'backup.json'), '{}');
  };
  await expect(backupFiles(from, target, { clock, onProgress })).rejects.toMatchObject({
    code: 'backup_exists',
    facts: { target },
  });
  const replacing = backupFiles(from, target, { clock, onProgress, mayReplace: true });
  await expect(replacing).resolves.toMatchObject({});
});

/**
 * A copy of `backupFiles` that notes what it does to files, in its order: `sync NAME`, `rename NAME`,
 * `remove NAME`.
 */
async function watchFiles(): Promise<{ done: string[]; watchedBackup: typeof backupFiles }> {
  const done: string[] = [];
  const paths = new Map<number, string>();
  // Other test files of this worker use the modules that are loaded, so only the copy gets the mock.
  vi.resetModules();
  vi.doMock('node:fs', async (importOriginal) => {
    const fs = await importOriginal<typeof Fs>();
    return {
      ...fs,
      openSync: (path: string, flags: string) => {
        const file = fs.openSync(path, flags);
        paths.set(file, path);
        return file;
      },
      fsyncSync: (file: number) => {
        done.push(`sync ${shortName(paths.get(file) ?? '')}`);
        fs.fsyncSync(file);
      },
      renameSync: (from: string, to: string) => {
        done.push(`rename ${shortName(to)}`);
        fs.renameSync(from, to);
      },
      rmSync: (path: string, options: object) => {
        if (fs.existsSync(path)) done.push(`remove ${shortName(path)}`);
        fs.rmSync(path, options);
      },
    };
  });
  onTestFinished(() => {
    vi.doUnmock('node:fs');
    vi.resetModules();
  });
  const { backupFiles: watchedBackup } = await import('./backup-files.ts');
  return { done, watchedBackup };
}

/** The name with what is random in it left out. */
function shortName(path: string): string {
  return basename(path).replace(/[0-9a-f-]{36}\.|-[A-Za-z0-9]{6}$/, '');
}

/** A new database, and the name of its backup in the same folder. */
async function database(): Promise<{ from: DatabaseFiles; target: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const from = databaseFiles(join(folder, 'test.db'));
  await migrateFiles(from, { mayCreate: true });
  return { from, target: join(folder, 'backup') };
}
