import { mkdtempSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { schemaParts } from '../migrations/schema-parts.ts';
import { openHandle } from './handle.ts';
import { migrateFile } from './migrate.ts';
import { openQuotaLog } from './quota-log.ts';

const request = { workspaceId: 'w', endpoint: 'scores', quota: 2, windowSeconds: 3600 };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-quota-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function openAccess(): Promise<DatabaseSync> {
  const path = join(newFolder(), 'test.access.db');
  await migrateFile(path, schemaParts.access);
  const database = openHandle(path);
  onTestFinished(() => database.close());
  return database;
}

test('the time is read once no other process can log a later one', async () => {
  const database = await openAccess();
  const other = openHandle(database.location() ?? '', { waitMs: 0 });
  onTestFinished(() => other.close());
  let times = 0;
  const countAll = openQuotaLog(database, {
    clock: () => {
      expect(() => other.exec('begin immediate')).toThrow('database is locked');
      times += 1;
      return 1000;
    },
  });
  countAll([{ ...request }, { ...request }]);
  expect(times).toBe(1);
});

test('requests are not counted while the counters cannot be written, and the next ones are', async () => {
  const database = await openAccess();
  const countAll = openQuotaLog(database, { clock: () => 1000 });
  database.exec(`
    create trigger refuse before insert on quota_times when new.endpoint = 'prompts'
    begin select raise(abort, 'no room'); end`);
  const asked = [{ ...request }, { ...request, endpoint: 'prompts' }];
  expect(() => countAll(asked)).toThrow('no room');
  const next = { ...request };
  expect(countAll([next]).get(next)).toMatchObject({ isAdmitted: true, left: 1 });
});

test('a log that is removed takes its times with it', async () => {
  const database = await openAccess();
  const countAll = openQuotaLog(database, { clock: () => 1000 });
  countAll([{ ...request }, { ...request, workspaceId: 'other' }]);
  database.exec("delete from quota_log where workspace_id = 'w'");
  expect(database.prepare('select workspace_id from quota_times').all()).toEqual([
    { workspace_id: 'other' },
  ]);
});
