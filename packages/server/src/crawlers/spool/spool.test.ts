import { mkdtemp, open, rm, stat } from 'node:fs/promises';
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

test('only the user of the server can read lines that wait', async () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const { folder, spool } = await newSpool('spool');
  await spool.add('receiver', lines);
  const [file] = await listSpool(folder);
  const modes = [folder, file?.path ?? ''].map(async (path) => (await stat(path)).mode % 0o1000);
  expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
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
