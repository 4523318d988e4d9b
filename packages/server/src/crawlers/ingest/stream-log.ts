import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Refusal } from '../../refusals.ts';
import { decompress, peek } from '../../rows/decompress.ts';
import { openSource } from '../../rows/source.ts';
import { createBatch } from './batch.ts';
import type { IngestContext } from './context.ts';
import { createFeed } from './feed.ts';
import { findUnreadableForm, headBytes } from './log-form.ts';
import { findLogState, fingerprintOf, keyOf, readTail } from './log-state.ts';
import type { LogState } from './log-state.ts';

/** Whether a log is compressed, by its first bytes; brotli has none, but an extension. */
export async function isCompressed(path: string): Promise<boolean> {
  if (/\.br$/i.test(path)) return true;
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const mark = buffer.toString('hex', 0, bytesRead);
    return mark.startsWith('1f8b') || mark === '28b52ffd';
  } finally {
    await file.close();
  }
}

/**
 * Reads a compressed log from its beginning, unless it was read to its end and has not changed: a
 * pattern may match a year of rotated logs. Returns whether there was nothing to read.
 */
export async function readCompressedLog(
  path: string,
  context: IngestContext,
  { isFromStart }: { isFromStart: boolean },
): Promise<boolean> {
  const { store, workspaceId } = context;
  const state = await currentState(path, context);
  const known = isFromStart ? undefined : await findLogState(store.writer, workspaceId, state);
  if (known?.readBytes === state.readBytes && known.fingerprint === state.fingerprint) return true;
  const { name, stream } = await openSource(path, { stdin: Readable.from([]) });
  await readStream(decompress(stream, { name }), context, { state });
  return false;
}

/** What to store once the file has been read as it is now. */
async function currentState(
  path: string,
  { identity, optionsKey }: IngestContext,
): Promise<LogState> {
  const file = await open(path, 'r');
  try {
    const stat = await file.stat({ bigint: true });
    const readBytes = Number(stat.size);
    const tail = await readTail(file, readBytes);
    return {
      fileKey: keyOf(stat),
      optionsKey,
      path,
      readBytes,
      fingerprint: fingerprintOf(tail, identity),
      directive: null,
    };
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
  const batch = createBatch(context);
  const feed = createFeed(context, batch);
  const source = untilFailure(chunks);
  const { head, all } = await peek(source.chunks(), headBytes);
  const form = findUnreadableForm(head);
  if (form !== undefined) throw new Refusal('log_unreadable', { form });
  for await (const chunk of all) {
    feed.push(chunk);
    onRead(chunk.length);
    if (batch.isFull) await batch.flush();
    if (signal.aborted) break;
  }
  const isWhole = !signal.aborted && source.failure() === undefined;
  if (isWhole) feed.finish();
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
