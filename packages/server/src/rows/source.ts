import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { Refusal } from '../refusals.ts';
import { errnoOf } from '../values/errno.ts';

/** A source of bytes, as in the file. */
export interface Source {
  /** For messages, and for its extension. */
  readonly name: string;
  readonly stream: Readable;
  /** Undefined if the size is unknown, as for a pipe. */
  readonly bytesTotal: number | undefined;
}

/** Small enough that the rows of a chunk are freed together with it. */
const chunkBytes = 64 * 1024;

/** Opens a file, or standard input for `-`. Throws a `Refusal` if it cannot be read. */
export async function openSource(path: string, { stdin }: { stdin: Readable }): Promise<Source> {
  if (path === '-') return { name: 'standard input', stream: stdin, bytesTotal: undefined };
  const stats = await stat(path).catch((error: unknown) => {
    throw new Refusal('file_unreadable', { path, errno: errnoOf(error) }, { cause: error });
  });
  if (stats.isDirectory()) throw new Refusal('file_is_folder', { path });
  return {
    name: basename(path),
    stream: createReadStream(path, { highWaterMark: chunkBytes }),
    bytesTotal: stats.isFile() ? stats.size : undefined,
  };
}
