import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { CommandError } from '../problems.ts';
import { reason } from '../rows/source.ts';

/** Takes text, as fast as whoever reads it; false once nobody does. */
export type Write = (text: string) => Promise<boolean>;

/** Lets `work` write to a stream. Whoever closes a pipe has seen enough: that is no failure. */
export async function writeToStream<Result>(
  stream: Writable,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  // The failure of a write comes to its callback; the event alone, which follows, would end the process.
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
    throw new CommandError(`The output cannot be written: ${reason(failure)}.`, { cause: failure });
  }
}

/** Lets `work` write a file, which gets its name when it is whole and on the disk. */
export async function writeToFile<Result>(
  path: string,
  work: (write: Write) => Promise<Result>,
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
      await rename(draft, path);
      return result;
    } finally {
      await file.close().catch(() => {});
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CommandError(`${path} cannot be written: ${reason(error)}.`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
