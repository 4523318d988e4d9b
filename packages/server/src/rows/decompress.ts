import { createReadStream } from 'node:fs';
import type { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { Refusal } from '../refusals.ts';

const chunkSize = 64 * 1024;

/** The first bytes of compressed files. Brotli has no such mark, so only its extension shows it. */
const marks: ReadonlyArray<readonly [bytes: readonly number[], create: () => Transform]> = [
  [[0x1f, 0x8b], () => createGunzip({ chunkSize })],
  [[0x28, 0xb5, 0x2f, 0xfd], () => createZstdDecompress({ chunkSize })],
];

/**
 * Unpacks gzip, zstd or brotli, and passes other bytes on unchanged. Throws a `Refusal` for a file
 * that is cut off, damaged or an archive.
 */
export async function* decompress(
  chunks: AsyncIterable<Buffer>,
  { name }: { name: string },
): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks, 4);
  if (startsWith(head, [0x50, 0x4b, 0x03, 0x04])) {
    throw new Refusal('file_is_archive', { file: name });
  }
  const create = findUnpacker(head, name);
  if (create === undefined || head.length === 0) yield* all;
  else yield* unpack(all, create(), name);
}

/** Whether a file is one that `decompress` unpacks. */
export async function isCompressed(path: string): Promise<boolean> {
  const head = await buffer(createReadStream(path, { end: 3 }));
  return findUnpacker(head, path) !== undefined;
}

function findUnpacker(head: Buffer, name: string): (() => Transform) | undefined {
  const marked = marks.find(([bytes]) => startsWith(head, bytes))?.[1];
  const isBrotli = /\.br$/i.test(name);
  return marked ?? (isBrotli ? () => createBrotliDecompress({ chunkSize }) : undefined);
}

/** Keep packed chunks small, so that a failure is near the last bytes that were unpacked. */
const packedBytes = 8 * 1024;
/** Unpacked chunks in memory, 2 MiB: a few bytes may unpack to gigabytes. */
const unpackedMax = 32;

/**
 * Yields everything that can be unpacked before a failure. A pipeline would drop the unread part.
 */
async function* unpack(
  packed: AsyncIterable<Buffer>,
  transform: Transform,
  name: string,
): AsyncGenerator<Buffer> {
  let unpacked: Buffer[] = [];
  let failure: Error | undefined;
  let wake = (): void => {};
  transform.on('data', (chunk: Buffer) => {
    unpacked.push(chunk);
    if (unpacked.length < unpackedMax) return;
    transform.pause();
    wake();
  });
  transform.on('error', (error) => (failure = error));
  try {
    for await (const piece of smallPieces(packed)) {
      yield* takeUntil(writeAll(transform, piece));
      if (failure !== undefined) throw damageRefusal(failure);
    }
    transform.end();
    yield* takeUntil(finished(transform).catch(() => {}));
    if (failure !== undefined) throw damageRefusal(failure);
  } finally {
    transform.destroy();
  }

  /** Yields what is unpacked until the work is done, and lets no more be unpacked than is taken. */
  async function* takeUntil(work: Promise<void>): AsyncGenerator<Buffer> {
    const state = { isDone: false };
    void work.then(() => {
      state.isDone = true;
      wake();
    });
    do {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (state.isDone || unpacked.length >= unpackedMax) resolve();
      });
      const chunks = unpacked;
      unpacked = [];
      yield* chunks;
      transform.resume();
    } while (!state.isDone || unpacked.length > 0);
  }

  function damageRefusal(cause: Error): Refusal {
    return new Refusal('file_damaged', { file: name }, { cause });
  }
}

async function* smallPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += packedBytes) {
      yield chunk.subarray(start, start + packedBytes);
    }
  }
}

/** Returns when the bytes have been processed, or cannot be. */
function writeAll(transform: Transform, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    transform.write(bytes, () => resolve());
  });
}

/**
 * Reads the first bytes, at least `count` if there are that many, and returns a stream that still
 * contains them.
 */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  count: number,
): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  for (let length = 0; length < count;) {
    const next = await iterator.next();
    if (next.done === true) break;
    head.push(next.value);
    length += next.value.length;
  }
  return { head: Buffer.concat(head), all: rejoin(head, iterator) };
}

async function* rejoin(
  head: readonly Buffer[],
  iterator: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    yield* head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

function startsWith(head: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[index] === byte);
}
