import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { CommandError } from '../problems.ts';

/** Bytes to read, as they lie in the file. */
export interface Source {
  /** For messages, and for its extension. */
  readonly name: string;
  readonly stream: Readable;
  /** Undefined where it is not known beforehand, as of a pipe. */
  readonly bytesTotal: number | undefined;
}

/** Small enough that what is made of a chunk does not outlive it. */
const chunkBytes = 64 * 1024;

/** Opens a file, or standard input for `-`. Throws a `CommandError` for what cannot be read. */
export async function openSource(path: string, { stdin }: { stdin: Readable }): Promise<Source> {
  if (path === '-') return { name: 'standard input', stream: stdin, bytesTotal: undefined };
  const found = await stat(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${reason(error)}.`, { cause: error });
  });
  if (found.isDirectory()) throw new CommandError(`${path} is a folder; name a file in it.`);
  return {
    name: basename(path),
    stream: createReadStream(path, { highWaterMark: chunkBytes }),
    bytesTotal: found.isFile() ? found.size : undefined,
  };
}

/** Why a file could not be read, in our words. */
export function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'it is not permitted';
  return code === '' ? 'the system reported an error' : `the system reported ${code}`;
}
