import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSpool, listSpool } from './spool.ts';

const clock = () => Date.parse('2026-11-20T12:00:00Z');
const lines = Buffer.from('line\n');

async function newSpool(...names: readonly string[]) {
  const parent = await mkdtemp(join(tmpdir(), 'overheard-spool-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, ...names);
  return { parent, folder, spool: createSpool({ folder, bytesMax: 1000, clock }) };
}

test('lines are acknowledged once their file and each new name is synced', async () => {
  const { parent, folder, spool } = await newSpool('new', 'spool');
  const inodes = new Map<number, string>();
  const synced: Array<{ name: string; waiting: number; isAcknowledged: boolean }> = [];
  let isAcknowledged = false;
  const handle = await open(parent);
  const methods: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = methods;
  const spy = vi.spyOn(methods, 'sync').mockImplementation(async function (this: FileHandle) {
    await sync.call(this);
    for (const path of [parent, join(parent, 'new'), folder]) {
      inodes.set((await stat(path)).ino, path.slice(parent.length));
    }
    const name = inodes.get((await this.stat()).ino) ?? 'file';
    synced.push({ name, waiting: (await listSpool(folder)).length, isAcknowledged });
  });
  onTestFinished(() => spy.mockRestore());
  isAcknowledged = await spool.add('receiver', lines);
  expect(isAcknowledged).toBe(true);
  expect(synced).toEqual([
    { name: '/new', waiting: 0, isAcknowledged: false },
    { name: '', waiting: 0, isAcknowledged: false },
    { name: 'file', waiting: 0, isAcknowledged: false },
    { name: '/new/spool', waiting: 1, isAcknowledged: false },
  ]);
});

test('what a killed writer had not finished is removed', async () => {
  const { folder, spool } = await newSpool();
  await writeFile(join(folder, '0.receiver.log.part'), 'li');
  await spool.add('receiver', lines);
  expect(await readdir(folder)).toEqual([expect.stringMatching(/\.receiver\.log$/)]);
});

test('a file that cannot be written fails only the lines of its receiver', async () => {
  const { folder, spool } = await newSpool();
  const outcomes = await Promise.allSettled(
    ['receiver', 'no-folder/receiver'].map((id) => spool.add(id, lines)),
  );
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: { code: 'ENOENT' } },
  ]);
  expect(await listSpool(folder)).toHaveLength(1);
});
