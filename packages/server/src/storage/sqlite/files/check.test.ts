import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { inWords } from '../../../../test/commands/in-words.ts';
import { openStore } from '../../open/open-store.ts';
import { databaseFiles } from './files.ts';
import { openHandle } from '../handle.ts';
import { migrateFiles } from '../migrate.ts';

/** What a file may have become, and what is said of it. */
const spoiled: ReadonlyArray<readonly [what: string, spoil: (path: string) => void, said: RegExp]> =
  [
    ['empty', (path) => truncateSync(path), /is empty: it was truncated, or is not a database/],
    ['of another program', makeForeign, /is a SQLite database of another program/],
    ['of a newer version', (path) => setVersion(path, 99), /was written by a newer version/],
    ['truncated', (path) => truncateSync(path, 8192), /is damaged or truncated/],
  ];

for (const part of ['data', 'access'] as const) {
  test.each(spoiled)(
    `a file of the ${part} that is %s is refused, and stays as it is`,
    async (_what, spoil, said) => {
      const folder = mkdtempSync(join(tmpdir(), 'overheard-check-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const files = databaseFiles(join(folder, 'test.db'));
      await migrateFiles(files, { mayCreate: true });
      spoil(files[part]);
      const before = readFileSync(files[part]);
      await expect(inWords(openStore(files.data, { mayCreate: true }))).rejects.toThrow(said);
      expect(readFileSync(files[part])).toEqual(before);
    },
  );
}

function makeForeign(path: string): void {
  const foreign = new DatabaseSync(`${path}.foreign`);
  foreign.exec('create table keys (id text); pragma user_version = 1');
  foreign.close();
  copyFileSync(`${path}.foreign`, path);
}

function setVersion(path: string, version: number): void {
  const handle = openHandle(path);
  handle.exec(`pragma user_version = ${version}; pragma wal_checkpoint(truncate)`);
  handle.close();
}
