import { mkdtempSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accessMigrations } from '../migrations/all.ts';
import { openHandle } from './handle.ts';
import { prepareFile } from './migrate.ts';
import { openQuotaLog } from './quota-log.ts';

const request = { workspaceId: 'w', endpoint: 'scores', quota: 2, windowSeconds: 3600 };

async function openAccess(): Promise<DatabaseSync> {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-quota-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'test.access.db');
  await prepareFile(path, accessMigrations);
  const database = openHandle(path);
  onTestFinished(() => database.close());
  return database;
}

test('the time is read once no other process can log a later one', async () => {
  const database = await openAccess();
  const isOurs: boolean[] = [];
  const countAll = openQuotaLog(database, {
    clock: () => {
      isOurs.push(database.isTransaction);
      return 1000;
    },
  });
  countAll([{ ...request }, { ...request }]);
  expect(isOurs).toEqual([true]);
});

test('where the counters cannot be written none of the requests is counted, and the next ones are', async () => {
  const database = await openAccess();
  const countAll = openQuotaLog(database, { clock: () => 1000 });
  database.exec(`
    create trigger refuse before insert on quota_log when new.endpoint = 'prompts'
    begin select raise(abort, 'no room'); end`);
  const asked = [{ ...request }, { ...request, endpoint: 'prompts' }];
  expect(() => countAll(asked)).toThrow('no room');
  const next = { ...request };
  expect(countAll([next]).get(next)).toMatchObject({ isAdmitted: true, left: 1 });
});
