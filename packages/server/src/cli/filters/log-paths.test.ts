import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { checkFollowed } from './log-paths.ts';

test('a folder, a compressed log and a device cannot be followed, and a missing file can', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-follow-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const log = join(folder, 'access.log');
  const packed = join(folder, 'packed');
  const missing = join(folder, 'missing.log');
  await writeFile(log, 'a line\n');
  await writeFile(packed, gzipSync('a line\n'));
  expect(await checkFollowed([log, missing])).toEqual([missing]);
  for (const [path, form] of [
    [folder, 'folder'],
    [packed, 'compressed'],
    ['/dev/null', 'not_a_file'],
  ] as const) {
    await expect(checkFollowed([log, path])).rejects.toMatchObject({ facts: { path, form } });
  }
});
