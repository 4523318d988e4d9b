import { mkdtempSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordStatements } from '../../../test/stores/statements.ts';
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

test(
  'a request runs as many statements with a quota of 10,000 as with one of 300',
  { tags: ['long'] },
  async () => {
    const database = await openAccess();
    let now = 1_000_000;
    const countAll = openQuotaLog(database, { clock: () => (now += 100) });
    const { sent } = recordStatements();
    const statementsOf = (quota: number): number[] => {
      const one = { ...request, workspaceId: `of ${quota}`, quota };
      countAll(Array.from({ length: quota - 1 }, () => ({ ...one })));
      // Admitted, refused, and admitted again an hour later.
      return [0, 0, 3_600_000].map((waitMs) => {
        now += waitMs;
        const before = sent().length;
        countAll([{ ...one }]);
        return sent().length - before;
      });
    };
    const [small, large] = [statementsOf(300), statementsOf(10_000)];
    // What has left the window is looked at once, and dropped.
    expect(large.slice(0, 2)).toEqual(small.slice(0, 2));
    expect(Math.max(...small.slice(0, 2))).toBeLessThanOrEqual(10);
    expect(database.prepare('select count(*) as times from quota_times').get()).toEqual({
      times: 2,
    });
  },
);

test('a log that is removed takes its times with it', async () => {
  const database = await openAccess();
  const countAll = openQuotaLog(database, { clock: () => 1000 });
  countAll([{ ...request }, { ...request, workspaceId: 'other' }]);
  database.exec("delete from quota_log where workspace_id = 'w'");
  expect(database.prepare('select workspace_id from quota_times').all()).toEqual([
    { workspace_id: 'other' },
  ]);
});
