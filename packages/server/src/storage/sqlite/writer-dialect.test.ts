import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../open/open-store.ts';
import { openHandle } from './handle.ts';

test('a transaction that waits for another process lets this one go on, and then has its turn', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'waiting.db');
  const store = await openStore(path, { mayCreate: true });
  onTestFinished(() => store.close());
  const other = openHandle(path);
  onTestFinished(() => other.close());
  other.exec('begin immediate');

  const events: string[] = [];
  const written = store.writer
    .transaction()
    .execute(async (transaction) =>
      transaction.insertInto('revisions').values({ workspace_id: 'w', revision: 'r' }).execute(),
    )
    .then(() => events.push('written'));
  await setTimeout(20);
  // With SQLite's own waiting nothing of this process would have run until now.
  events.push('heard');
  other.exec('commit');
  await written;
  expect(events).toEqual(['heard', 'written']);
  // Statements outside of a transaction wait as before.
  expect(await store.writer.selectFrom('revisions').select('revision').execute()).toHaveLength(1);
});
