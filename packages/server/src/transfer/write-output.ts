import { randomUUID } from 'node:crypto';
import { link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { Refusal } from '../refusals.ts';
import { errnoOf } from '../values/errno.ts';

/** Writes text as fast as the reader reads. False once the reader has closed. */
export type Write = (text: string) => Promise<boolean>;

/** Lets `work` write to a stream. It isn't a failure if the reader closes the pipe. */
export async function writeToStream<Result>(
  stream: Writable,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  // A failed write calls its callback. The error event that follows would end the process without a
  // listener.
  stream.on('error', () => {});
  return work(write);

  async function write(text: string): Promise<boolean> {
    if (text === '') return true;
    if (stream.destroyed) return false;
    const failure = await new Promise<Error | null | undefined>((resolve) => {
      stream.write(text, resolve);
    });
    if (!failure) return true;
    if ('code' in failure && (failure.code === 'EPIPE' || failure.code === 'ERR_STREAM_DESTROYED'))
      return false;
    throw outputRefusal(undefined, failure);
  }
}

interface Target {
  /** Whether an existing file is replaced. */
  readonly isForced: boolean;
}

/** Throws a `Refusal` if no file may be written at the path. Call it before the work starts. */
export async function refuseOutput(path: string, { isForced }: Target): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return;
  if (!isForced) throw new Refusal('output_exists', { path });
  // A device or a folder must not be replaced by a file.
  const target = await stat(path).catch(() => undefined);
  if (target === undefined || target.isFile()) return;
  throw new Refusal('output_not_file', { path });
}

/** Lets `work` write a file, which gets its name when it is complete and on the disk. */
export async function writeToFile<Result>(
  path: string,
  work: (write: Write) => Promise<Result>,
  target: Target,
): Promise<Result> {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(draft, 'wx');
    try {
      const result = await work(async (text) => {
        await file.write(text);
        return true;
      });
      await file.sync();
      await file.close();
      await publish(draft, path, target);
      return result;
    } finally {
      await file.close().catch(() => {});
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw outputRefusal(path, error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Gives the draft its name. Without --force it does not replace a file that was made meanwhile. */
async function publish(draft: string, path: string, target: Target): Promise<void> {
  if (!target.isForced) {
    // Unlike a rename, a link never replaces a file. Some file systems have no links.
    const failure = await link(draft, path).catch((error: unknown) => error);
    if (failure === undefined) return;
    await refuseOutput(path, target);
  }
  const resolved = await realpath(path).catch(() => path);
  await rename(draft, resolved);
}

export function outputRefusal(path: string | undefined, cause: unknown): Refusal {
  return new Refusal('output_unwritable', { path, errno: errnoOf(cause) }, { cause });
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
