import { sql } from 'kysely';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../open/open-store.ts';
import { openHandle } from './handle.ts';

/** https://www.sqlite.org/pragma.html#pragma_synchronous */
const [normal, full] = [1, 2];

test('data and keys are on the disk when a statement returns; only what is not durable is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = await openStore(join(folder, 'test.db'), { mayCreate: true });
  onTestFinished(() => store.close());
  for (const db of [store.writer, store.access]) {
    const { rows } = await sql`pragma synchronous`.execute(db);
    expect(rows).toEqual([{ synchronous: full }]);
  }
  const note = openHandle(join(folder, 'test.access.db'), { isDurable: false });
  expect(note.prepare('pragma synchronous').get()).toEqual({ synchronous: normal });
  note.close();
});
