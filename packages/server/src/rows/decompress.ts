import { Readable, pipeline } from 'node:stream';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { Refusal } from '../refusals.ts';

const chunkSize = 64 * 1024;

/** How a compressed file begins. Brotli has no mark: its extension tells. */
const marks: ReadonlyArray<readonly [bytes: readonly number[], create: () => Transform]> = [
  [[0x1f, 0x8b], () => createGunzip({ chunkSize })],
  [[0x28, 0xb5, 0x2f, 0xfd], () => createZstdDecompress({ chunkSize })],
];

/**
 * The bytes behind gzip, zstd or brotli, or the same bytes where they are not compressed. Throws a
 * `Refusal` for a file that is cut off, damaged or an archive.
 */
export async function* decompress(
  chunks: AsyncIterable<Buffer>,
  { name }: { name: string },
): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks, 4);
  if (startsWith(head, [0x50, 0x4b, 0x03, 0x04])) {
    throw new Refusal('file_is_archive', { file: name });
  }
  const isBrotli = /\.br$/i.test(name) && head.length > 0;
  const create =
    marks.find(([bytes]) => startsWith(head, bytes))?.[1] ??
    (isBrotli ? () => createBrotliDecompress({ chunkSize }) : undefined);
  if (create === undefined) yield* all;
  else yield* unpack(all, create(), name);
}

async function* unpack(
  packed: AsyncIterable<Buffer>,
  transform: Transform,
  name: string,
): AsyncGenerator<Buffer> {
  let readFailure: Error | undefined;
  const source = Readable.from(packed);
  source.on('error', (error) => (readFailure = error));
  // Errors arrive where the transform is read.
  pipeline(source, transform, () => {});
  try {
    for await (const chunk of transform) yield chunk;
  } catch (error) {
    if (readFailure !== undefined) throw readFailure;
    throw new Refusal('file_damaged', { file: name }, { cause: error });
  }
}

/** The first bytes, at least `count` where there are as many, and a stream that still has them. */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  count: number,
): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const taken: Buffer[] = [];
  for (let length = 0; length < count;) {
    const next = await iterator.next();
    if (next.done === true) break;
    taken.push(next.value);
    length += next.value.length;
  }
  return { head: Buffer.concat(taken), all: rejoin(taken, iterator) };
}

async function* rejoin(
  taken: readonly Buffer[],
  iterator: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    yield* taken;
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
