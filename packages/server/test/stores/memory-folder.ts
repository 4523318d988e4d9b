import { execFile } from 'node:child_process';
import { chmod, mkdtemp, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clear, startGuard } from './postgres.ts';

const memory = '/dev/shm';
/** A whole run needs a fifth of it. */
const memoryBytesMin = 3e9;

/** A folder in memory, and what removes it; a guard removes it if this process is killed. */
interface MemoryFolder {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/**
 * Makes a folder in memory for all temporary files of a run: thousands of small databases wait for
 * the disk longer than they work. Undefined where the system has none with enough room, or none
 * from which programs can be run.
 */
export async function startMemoryFolder(): Promise<MemoryFolder | undefined> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  if (bavail * bsize < memoryBytesMin) return undefined;
  const folder = await mkdtemp(join(memory, 'overheard-tests-'));
  const guard = startGuard([folder, folder]);
  const remove = () => clear(guard);
  // PostgreSQL's own user passes through it.
  await chmod(folder, 0o755);
  if (await canRunPrograms(folder)) return { folder, remove };
  await remove();
  return undefined;
}

async function canRunPrograms(folder: string): Promise<boolean> {
  const program = join(folder, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
  return promisify(execFile)(program).then(
    () => true,
    () => false,
  );
}
