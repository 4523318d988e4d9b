import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../open/open-store.ts';
import type { Ledger } from '../store.ts';

/** The same ledger, as two processes open it. */
async function openLedgers(): Promise<readonly [Ledger, Ledger]> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const open = async (): Promise<Ledger> => {
    const store = await openStore(`file:${join(folder, 'test.db')}`, { mayCreate: true });
    onTestFinished(() => store.close());
    const ledger = await store.ledger({ mayCreate: true });
    if (ledger === undefined) throw new Error('No ledger');
    return ledger;
  };
  return [await open(), await open()];
}

function addCap(ledger: Ledger, name: string, check = async (): Promise<void> => {}) {
  return ledger.write(async (transaction) => {
    const row = { day_micros: 1, month_micros: 1, sweeps: 1 };
    await transaction
      .insertInto('allowances')
      .values({ workspace_id: name, ...row })
      .execute();
    await check();
    return name;
  });
}

async function names({ db }: Ledger): Promise<string[]> {
  const rows = await db
    .selectFrom('allowances')
    .select('workspace_id')
    .orderBy('workspace_id')
    .execute();
  return rows.map((row) => row.workspace_id);
}

test('writes of the ledger that wait together each have their own result, and one that throws undoes itself alone', async () => {
  const [ledger] = await openLedgers();
  const failing = addCap(ledger, 'b', () => Promise.reject(new Error('no money')));
  const outcomes = await Promise.allSettled([addCap(ledger, 'a'), failing, addCap(ledger, 'c')]);
  expect(outcomes).toMatchObject([
    { value: 'a' },
    { reason: { message: 'no money' } },
    { value: 'c' },
  ]);
  expect(await names(ledger)).toEqual(['a', 'c']);
});

test('writes of the ledger that wait together share one commit, and none is reported before it', async () => {
  const [ledger, other] = await openLedgers();
  const seen: string[][] = [];
  const look = async (): Promise<void> => void seen.push(await names(other));
  await Promise.all([
    addCap(ledger, 'a').then(look),
    addCap(ledger, 'b', look),
    addCap(ledger, 'c', look),
  ]);
  expect(seen).toEqual([[], [], ['a', 'b', 'c']]);
});

test('writes of the ledger all fail if their transaction cannot go on, and the next one works', async () => {
  const [ledger] = await openLedgers();
  // As SQLite does on a full disk.
  const ending = ledger.write((transaction) => sql`rollback`.execute(transaction));
  const outcomes = await Promise.allSettled([ending, addCap(ledger, 'a')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await addCap(ledger, 'b');
  expect(await names(ledger)).toEqual(['b']);
});
