import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openHandle, openNoteHandle } from './handle.ts';

test('a request that is counted never waits for another process inside SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-handle-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'overheard.access.db');
  const other = openHandle(path);
  onTestFinished(() => other.close());
  const notes = openNoteHandle(path);
  onTestFinished(() => notes.close());
  expect(notes.prepare('pragma busy_timeout').get()).toEqual({ timeout: 0 });
  other.exec('begin immediate');
  expect(() => notes.exec('begin immediate')).toThrow('database is locked');
});
