import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { checkFollowed } from './log-paths.ts';

test('what nothing is added to cannot be followed, and what is not there yet can', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-follow-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const log = join(folder, 'access.log');
  const packed = join(folder, 'packed');
  const missing = join(folder, 'missing.log');
  await writeFile(log, 'a line\n');
  await writeFile(packed, gzipSync('a line\n'));
  expect(await checkFollowed([log, missing])).toEqual([missing]);
  await expect(checkFollowed([log, folder])).rejects.toThrow('is a folder');
  await expect(checkFollowed([packed])).rejects.toThrow('is compressed');
  await expect(checkFollowed(['/dev/null'])).rejects.toThrow('is no file');
});
