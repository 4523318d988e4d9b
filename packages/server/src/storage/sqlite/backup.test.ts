import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import type * as Fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backupFiles } from './backup.ts';
import { databaseFiles } from './files.ts';
import type { DatabaseFiles } from './files.ts';
import { openHandle } from './handle.ts';
import { prepareFiles } from './migrate.ts';

/** What was done to files, in its order: `sync NAME`, `rename NAME`, `remove NAME`. */
const done: string[] = [];

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof Fs>();
  const paths = new Map<number, string>();
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

/** The name with what is random in it left out. */
function shortName(path: string): string {
  return basename(path).replace(/[0-9a-f-]{36}\.|-[A-Za-z0-9]{6}$/, '');
}

test('a backup is on the disk, each part of it, before what it replaces goes', async () => {
  const { from, to } = await database();
  await backupFiles(from, to);
  done.length = 0;
  await backupFiles(from, to, { mayReplace: true });
  expect(done).toEqual([
    'sync backup.db.new',
    'sync backup.access.db.new',
    'rename backup.access.db.replaced',
    'rename backup.db.replaced',
    'sync overheard-backup',
    'rename backup.access.db',
    'rename backup.db',
    'sync overheard-backup',
    'remove backup.db.replaced',
    'remove backup.access.db.replaced',
    'remove backup.db.being-made',
  ]);
});

test('a backup is of one moment, whatever is written while it is copied', async () => {
  const { from, to } = await database();
  const writer = openHandle(from.data);
  onTestFinished(() => writer.close());
  const insert = writer.prepare(
    `insert into prompts (workspace_id, id, text, language, locale, active, created_at)
     values ('w', ?, ?, 'en', 'en-US', 1, '2026-11-20T00:00:00.000Z')`,
  );
  // Several steps of copying.
  for (let row = 0; row < 200; row += 1) insert.run(`before ${row}`, 'x'.repeat(100_000));
  const shares: number[] = [];
  await backupFiles(from, to, {
    onProgress: (share) => {
      shares.push(share);
      insert.run(`during ${shares.length}`, 'x'.repeat(100_000));
    },
  });
  expect(shares.length).toBeGreaterThan(2);
  const copy = openHandle(to.data, { isReadOnly: true });
  onTestFinished(() => copy.close());
  expect(copy.prepare('select count(*) as count from prompts').get()).toEqual({ count: 200 });
});

test('a backup that another has made meanwhile is replaced with --force only', async () => {
  const { from, to } = await database();
  const { exec } = DatabaseSync.prototype;
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(function execLater(this: DatabaseSync, text: string) {
    // Before the name is locked; whatever was looked at earlier is of the past.
    if (text.includes('begin exclusive')) copyFileSync(from.data, to.data);
    exec.call(this, text);
  });
  await expect(backupFiles(from, to)).rejects.toThrow(`${to.data} is there already.`);
  await expect(backupFiles(from, to, { mayReplace: true })).resolves.toMatchObject({});
});

/** A new database, and the name of its backup in the same folder. */
async function database(): Promise<{ from: DatabaseFiles; to: DatabaseFiles }> {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const from = databaseFiles(join(folder, 'test.db'));
  await prepareFiles(from, { mayCreate: true });
  return { from, to: databaseFiles(join(folder, 'backup.db')) };
}
