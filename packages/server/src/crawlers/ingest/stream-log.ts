import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { decompress, peek } from '../../rows/decompress.ts';
import type { IngestContext } from './prepare-ingest.ts';
import { createFeed } from './feed.ts';
import { headBytes, refuseUnreadable } from './refuse-unreadable.ts';
import { findResumable, fingerprintOf, fileKeyOf, readTail } from './log-state.ts';
import type { LogState } from './log-state.ts';

/**
 * Reads a compressed log from its beginning, unless it was read to its end and has not changed: a
 * pattern may match a year of rotated logs. Returns whether there was nothing to read.
 */
export async function readCompressedLog(
  path: string,
  context: IngestContext,
  { isFromStart }: { isFromStart: boolean },
): Promise<boolean> {
  const { identity, optionsKey } = context;
  const file = await open(path, 'r');
  try {
    const stat = await file.stat({ bigint: true });
    const [fileKey, bytes] = [fileKeyOf(stat), Number(stat.size)];
    const resumable = isFromStart ? undefined : await findResumable(file, fileKey, context);
    if (resumable?.read_bytes === bytes) return true;
    const state = {
      file_key: fileKey,
      options_key: optionsKey,
      path,
      read_bytes: bytes,
      fingerprint: fingerprintOf(await readTail(file, bytes), identity),
      directive: null,
    };
    const packed = file.createReadStream({ start: 0, autoClose: false });
    await readStream(decompress(packed, { name: basename(path) }), context, { state });
    return false;
  } finally {
    await file.close();
  }
}

/**
 * Reads a log from a stream to its end, then stores `state`. If the stream fails, keeps what came
 * before and throws the error.
 */
export async function readStream(
  chunks: AsyncIterable<Buffer>,
  context: IngestContext,
  { state }: { state?: LogState } = {},
): Promise<void> {
  const { signal, onRead } = context;
  const { push, finish, batch } = createFeed(context);
  const source = untilFailure(chunks);
  const { head, all } = await peek(source.chunks(), headBytes);
  refuseUnreadable(head);
  for await (const chunk of all) {
    await push(chunk);
    onRead(chunk.length);
    if (batch.isFull) await batch.flush();
    if (signal.aborted) break;
  }
  const isWhole = !signal.aborted && source.failure() === undefined;
  if (isWhole) await finish();
  await batch.flush(isWhole ? state : undefined);
  if (source.failure() !== undefined) throw source.failure();
}

function untilFailure(all: AsyncIterable<Buffer>) {
  let failure: unknown;
  return { chunks, failure: () => failure };

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      yield* all;
    } catch (error) {
      failure = error;
    }
  }
}
