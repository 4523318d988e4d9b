import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type * as Fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lockBackup } from './backup-lock.ts';

/** What happens once a file has been looked at, where a test wants it. */
const disk = vi.hoisted(() => ({ afterLook: (_path: string): void => {} }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof Fs>();
  return {
    ...fs,
    lstatSync: (path: string, options: Fs.StatOptions) => {
      const found = fs.lstatSync(path, options);
      disk.afterLook(path);
      return found;
    },
  };
});

test.each([
  ['a text', (path: string) => writeFileSync(path, 'notes')],
  ['a database', makeDatabase],
  ['a link to a file that is empty', linkToEmpty],
])('%s that has the name of the lock is refused, and stays as it is', (_what, make) => {
  const target = newTarget();
  const path = `${target}.being-made`;
  make(path);
  const before = readFileSync(path);
  expect(() => lockBackup(target)).toThrow(
    expect.objectContaining({
      name: 'CommandError',
      message: `${path} is in the way and not of a backup: no backup was written. Move it, or name another file.`,
    }),
  );
  expect(readFileSync(path)).toEqual(before);
});

test('of two that had the file open when it was removed, one gets the name', () => {
  const target = newTarget();
  const unlocks: Array<() => void> = [];
  beforeLocking(() => {
    // As the one before does at its end; then somebody else comes.
    rmSync(`${target}.being-made`);
    unlocks.push(lockBackup(target));
  });
  expect(() => lockBackup(target)).toThrow('being made just now');
  expect(unlocks).toHaveLength(1);
  expect(() => lockBackup(target)).toThrow('being made just now');
  for (const unlock of unlocks) unlock();
  lockBackup(target)();
});

test('a file that was made anew is not taken for the one before, whose number it may get', () => {
  const target = newTarget();
  disk.afterLook = (path) => {
    disk.afterLook = () => {};
    rmSync(path);
    writeFileSync(path, '');
  };
  expect(() => lockBackup(target)).toThrow('being made just now');
  lockBackup(target)();
});

/** Runs once, where a file has been opened and before it is locked. */
function beforeLocking(happens: () => void): void {
  const { exec } = DatabaseSync.prototype;
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementationOnce(function execLater(this: DatabaseSync, text: string) {
    happens();
    exec.call(this, text);
  });
}

function newTarget(): string {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'backup.db');
}

function makeDatabase(path: string): void {
  using database = new DatabaseSync(path);
  database.exec('create table notes (text)');
}

function linkToEmpty(path: string): void {
  writeFileSync(`${path}.elsewhere`, '');
  symlinkSync(`${path}.elsewhere`, path);
}
