import { mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../../refusals.ts';
import { compareCodePoints } from '../../values/code-points.ts';
import { errnoOf } from '../../values/errno.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { newId } from '../../values/uuid.ts';

/** How long lines wait for others, so that they share one sync of the disk. */
const groupMs = 25;
/** How often the folder is measured while it is full. */
const measureMs = 1000;
/** The part of the spool that one receiver may fill, so that it stops no other one. */
const shareMax = 3 / 4;

/** Received lines on the disk, until they are read into hits. */
export type Spool = ReturnType<typeof createSpool>;

/**
 * Makes a spool in a folder, which is created when needed. Each file has the lines of one receiver
 * and gets its final name once it is whole and synced, so there is nothing to repair after a crash.
 */
export function createSpool({
  folder,
  bytesMax,
  clock,
  onStored = () => {},
}: {
  folder: string;
  /** How many bytes may wait; those of one receiver are at most `shareMax` of them. */
  bytesMax: number;
  clock: () => number;
  /** Called when lines are on the disk. */
  onStored?: () => void;
}) {
  /** How many bytes of each receiver wait at most. */
  let waiting: Map<string, number> | undefined;
  let measuredMs = -Infinity;
  let measuring: Promise<void> | undefined;
  let group: Group | undefined;
  return { add };

  /**
   * Stores whole lines of a receiver. When this returns true, they are on the disk. False if the
   * spool is full. Throws if the disk fails for the lines of this receiver; what is stored then is
   * unknown.
   */
  async function add(receiverId: string, lines: Buffer): Promise<boolean> {
    if (!(await takeRoom(receiverId, lines.length))) return false;
    group ??= beginGroup();
    const before = group.lines.get(receiverId);
    if (before === undefined) group.lines.set(receiverId, [lines]);
    else before.push(lines);
    const failures = await group.stored;
    if (failures.has(receiverId)) throw failures.get(receiverId);
    return true;
  }

  async function takeRoom(receiverId: string, bytes: number): Promise<boolean> {
    if (!hasRoom(receiverId, bytes)) await measure();
    if (waiting === undefined || !hasRoom(receiverId, bytes)) return false;
    waiting.set(receiverId, bytesOf(receiverId) + bytes);
    return true;
  }

  function hasRoom(receiverId: string, bytes: number): boolean {
    if (waiting === undefined || bytesOf(receiverId) + bytes > shareMax * bytesMax) return false;
    return waiting.values().reduce((sum, each) => sum + each, bytes) <= bytesMax;
  }

  function bytesOf(receiverId: string): number {
    return waiting?.get(receiverId) ?? 0;
  }

  async function measure(): Promise<void> {
    if (Math.abs(clock() - measuredMs) >= measureMs) {
      measuredMs = clock();
      measuring = measureReceivers(folder).then((measured) => void (waiting = measured));
    }
    await measuring;
  }

  function beginGroup(): Group {
    const lines = new Map<string, Buffer[]>();
    const stored = sleep(groupMs).then(async () => {
      group = undefined;
      await makeFolder(folder);
      const failures = new Map<string, unknown>();
      const storing = [...lines].map(async ([receiverId, parts]) => {
        await store(receiverId, parts).catch((error: unknown) => failures.set(receiverId, error));
      });
      await Promise.all(storing);
      await sync(folder);
      onStored();
      return failures;
    });
    return { lines, stored };
  }

  async function store(receiverId: string, parts: readonly Buffer[]): Promise<void> {
    // Files sort by the time at which they were received.
    const path = join(folder, `${newId(clock)}.${receiverId}`);
    const file = await open(`${path}.part`, 'wx', 0o600);
    try {
      for (const part of parts) await file.appendFile(part);
      await file.sync();
      await rename(`${path}.part`, `${path}.log`);
    } catch (error) {
      await rm(`${path}.part`, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }
}

/** Lines that share one sync of the folder. */
interface Group {
  readonly lines: Map<string, Buffer[]>;
  /** The receivers whose lines could not be stored, each with why. */
  readonly stored: Promise<ReadonlyMap<string, unknown>>;
}

/** Makes a folder durable, with those above it. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  let made = resolve(folder);
  while (made.length >= first.length) {
    made = dirname(made);
    await sync(made);
  }
}

/** Makes the folder of a spool. Throws a `Refusal` if files cannot be written there. */
export async function testSpool(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await writeFile(join(folder, 'test.part'), '');
  } catch (cause) {
    throw new Refusal('spool_unwritable', { folder, errno: errnoOf(cause) }, { cause });
  }
}

/** Removes what an earlier writer had not finished: it was never acknowledged. */
export async function removeParts(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (name.endsWith('.part')) await rm(join(folder, name), { force: true });
  }
}

/** Makes new names in a folder durable. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A file of the spool. */
export interface SpoolFile {
  readonly path: string;
  readonly receiverId: string;
}

/** The files that wait, or those that were kept because nobody knows their receiver, oldest first. */
export async function listSpool(
  folder: string,
  state: 'log' | 'unknown' = 'log',
): Promise<readonly SpoolFile[]> {
  const files: SpoolFile[] = [];
  for (const name of (await namesIn(folder)).toSorted(compareCodePoints)) {
    const [, receiverId, ending] = /^[\w-]+\.([\w-]+)\.(\w+)$/.exec(name) ?? [];
    if (receiverId !== undefined && ending === state) {
      files.push({ path: join(folder, name), receiverId });
    }
  }
  return files;
}

/** How long the lines of unknown receivers are kept: they have addresses of people. */
const unknownMs = 30 * dayMs;

/** Keeps a file whose receiver the database does not know, without reading it. */
export async function keepUnknown({ path }: SpoolFile, clock: () => number): Promise<void> {
  // Its age counts from now on: the server may not have run for long.
  const now = new Date(clock());
  await utimes(path, now, now);
  await rename(path, path.replace(/\.log$/, '.unknown'));
}

/** Removes such files when they are old. */
export async function removeUnknown(folder: string, clock: () => number): Promise<void> {
  for (const { path } of await listSpool(folder, 'unknown')) {
    const { mtimeMs } = await stat(path);
    if (clock() - mtimeMs >= unknownMs) await rm(path, { force: true });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** How many bytes wait. */
export async function measureSpool(folder: string): Promise<number> {
  const waiting = await measureReceivers(folder);
  return waiting.values().reduce((sum, each) => sum + each, 0);
}

async function measureReceivers(folder: string): Promise<Map<string, number>> {
  const waiting = new Map<string, number>();
  for (const { path, receiverId } of await listSpool(folder)) {
    const stats = await stat(path).catch(() => undefined);
    waiting.set(receiverId, (waiting.get(receiverId) ?? 0) + (stats?.size ?? 0));
  }
  return waiting;
}
